/**
 * A small server of static files: for looking at the built site, and for its tests. Only what lies in the folder is
 * served, with no headers that a plain static host would not send, but for those of isolation and a policy where they are asked for.
 */
import { createReadStream, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize, relative, sep } from "node:path";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".json": "application/json",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
};

const isolation = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
};

export interface Served {
  /** With a slash at its end. */
  readonly url: string;
  close(): Promise<void>;
}

export interface ServeOptions {
  /** 0 for any free one. */
  readonly port?: number;
  /** The path under which the folder appears, with slashes at both ends. Default "/". */
  readonly base?: string;
  /** Default "127.0.0.1": this machine only. */
  readonly host?: string;
  /** Whether pages are cross-origin isolated, so that their threads may share memory. Default false. */
  readonly isIsolated?: boolean;
  /** The content security policy of every file that is sent. Default: none. */
  readonly policy?: string;
  /** Hears of the path within the folder of every file that is sent. */
  readonly onFile?: (path: string) => void;
}

/** Serves a folder until it is closed; rejects if the port is taken. */
export function serveFolder(folder: string, options: ServeOptions = {}): Promise<Served> {
  const { port = 0, base = "/", host = "127.0.0.1", isIsolated = false, policy, onFile } = options;
  const server = createServer((request, response) => {
    const path = fileOf(folder, base, request.url ?? "/");
    if (path === undefined || (request.method !== "GET" && request.method !== "HEAD")) {
      response.writeHead(404, { "content-type": "text/plain" }).end("Not found\n");
      return;
    }
    response.writeHead(200, {
      "content-type": types[extname(path)] ?? "application/octet-stream",
      "cache-control": "no-cache",
      ...(isIsolated ? isolation : {}),
      ...(policy === undefined ? {} : { "content-security-policy": policy }),
    });
    onFile?.(relative(folder, path));
    if (request.method === "HEAD") response.end();
    else createReadStream(path).pipe(response);
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => resolve({ url: urlOf(server, host, base), close: () => closed(server) }));
  });
}

/** The file that a request means, or undefined if there is none in the folder. */
function fileOf(folder: string, base: string, url: string): string | undefined {
  let inside: string;
  try {
    const { pathname } = new URL(url, "http://localhost");
    if (!pathname.startsWith(base)) return undefined;
    inside = decodeURIComponent(pathname.slice(base.length));
  } catch {
    return undefined; // no address, or no text
  }
  if (inside.includes("\0")) return undefined;
  const path = normalize(join(folder, inside));
  if (path !== normalize(folder) && !path.startsWith(normalize(folder) + sep)) return undefined;
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isFile()) return path;
  const index = join(path, "index.html");
  return stats?.isDirectory() && statSync(index, { throwIfNoEntry: false })?.isFile() ? index : undefined;
}

function urlOf(server: Server, host: string, base: string): string {
  const address: string | AddressInfo | null = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return `http://${host === "127.0.0.1" ? "localhost" : host}:${port}${base}`;
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
