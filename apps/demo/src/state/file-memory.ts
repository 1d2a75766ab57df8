/**
 * The visitor's last file of each view, or files, kept by the browser so that a tab that was closed comes back with it. It stays
 * on this machine; a browser that keeps nothing just asks for the file again.
 */
const databaseName = "curvature";
const storeName = "files";

/** Larger files are not kept: the browser's room is not ours to fill. */
const mostBytes = 64 * 2 ** 20;

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function inStore<T>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const opening = indexedDB.open(databaseName, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(storeName);
  const database = await settled(opening);
  try {
    return await settled(act(database.transaction(storeName, mode).objectStore(storeName)));
  } finally {
    database.close();
  }
}

export async function keepFiles(view: string, files: readonly File[]): Promise<void> {
  if (files.reduce((sum, { size }) => sum + size, 0) > mostBytes) return forgetFiles(view);
  await inStore("readwrite", (store) => store.put(files, view)).catch(() => undefined);
}

export async function forgetFiles(view: string): Promise<void> {
  await inStore("readwrite", (store) => store.delete(view)).catch(() => undefined);
}

export async function keptFiles(view: string): Promise<readonly File[]> {
  const found: unknown = await inStore("readonly", (store) => store.get(view)).catch(() => undefined);
  return Array.isArray(found) && found.every((file) => file instanceof File) ? found : [];
}
