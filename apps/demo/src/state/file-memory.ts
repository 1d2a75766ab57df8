/**
 * The visitor's last file of each view, kept by the browser so that a tab that was closed comes back with it. It stays
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

export async function keepFile(view: string, file: File): Promise<void> {
  if (file.size > mostBytes) return forgetFile(view);
  await inStore("readwrite", (store) => store.put(file, view)).catch(() => undefined);
}

export async function forgetFile(view: string): Promise<void> {
  await inStore("readwrite", (store) => store.delete(view)).catch(() => undefined);
}

export async function keptFile(view: string): Promise<File | undefined> {
  const found: unknown = await inStore("readonly", (store) => store.get(view)).catch(() => undefined);
  return found instanceof File ? found : undefined;
}
