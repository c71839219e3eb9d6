import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { root } from "#scripts/lib/commands.ts";

/** A fake Ghost: a real HTTP server on loopback. */
export interface GhostServer {
  url: string;
  /** Content API requests so far. */
  calls: { url: URL; version: string | undefined; userAgent: string | undefined }[];
  /** Handles Content API requests; replace it to change the response. */
  reply: RequestListener;
  /** Handlers of other paths, such as pictures; 404 where there is none. */
  files: Map<string, RequestListener>;
  /** Paths of files requested so far. */
  fileRequests: string[];
  stop(): Promise<void>;
}

type GhostPost = Record<string, unknown>;

/** Recorded from a real Ghost 5.130. */
const recorded: { posts: GhostPost[] } = JSON.parse(
  readFileSync(`${root}/tests/support/ghost/ghost-5.130-posts.json`, "utf8"),
);

export async function startGhost(reply: RequestListener): Promise<GhostServer> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://ghost");
    if (url.pathname === "/ghost/api/content/posts/") {
      const [version, userAgent] = ["accept-version", "user-agent"].map((name) => headerOf(request, name));
      ghost.calls.push({ url, version, userAgent });
      return ghost.reply(request, response);
    }
    ghost.fileRequests.push(url.pathname);
    const file = ghost.files.get(url.pathname) ?? send(404, "text/plain", "not found");
    return file(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const ghost: GhostServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: [],
    reply,
    files: new Map(),
    fileRequests: [],
    async stop() {
      if (!server.listening) return;
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
  return ghost;
}

/** The recorded post with some fields changed, or omitted where they are undefined. */
export function ghostPost(changes: GhostPost = {}): GhostPost {
  return { ...recorded.posts[0], feature_image: null, ...changes };
}

/** The recorded response with these posts instead. */
export function posts(...list: GhostPost[]): RequestListener {
  return send(200, "application/json; charset=utf-8", JSON.stringify({ ...recorded, posts: list }));
}

export function send(status: number, type: string, body: string | Buffer): RequestListener {
  return (_, response) => {
    response.writeHead(status, { "Content-Type": type });
    response.end(body);
  };
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join() : value;
}
