import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { root } from "#scripts/lib/commands.ts";

/** A real HTTP server on loopback that plays Ghost. */
export interface GhostServer {
  url: string;
  /** Calls of the Content API so far. */
  calls: { url: URL; version: string | undefined }[];
  /** How it answers the Content API from now on. */
  answer: RequestListener;
  /** Answers to other paths, such as pictures; 404 where there is none. */
  files: Map<string, RequestListener>;
  /** Paths of files asked for so far. */
  filesAsked: string[];
  stop(): Promise<void>;
}

type GhostPost = Record<string, unknown>;

/** Answers that a real Ghost 5.130 gave. */
export const recorded = {
  posts: readRecorded<{ posts: GhostPost[]; meta: unknown }>("ghost-5.130-posts.json"),
  badKey: readRecorded("ghost-5.130-bad-key.json"),
};

export async function startGhost(answer: RequestListener): Promise<GhostServer> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://ghost");
    if (url.pathname === "/ghost/api/content/posts/") {
      ghost.calls.push({ url, version: headerOf(request, "accept-version") });
      return ghost.answer(request, response);
    }
    ghost.filesAsked.push(url.pathname);
    const file = ghost.files.get(url.pathname) ?? send(404, "text/plain", "not found");
    return file(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const ghost: GhostServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: [],
    answer,
    files: new Map(),
    filesAsked: [],
    async stop() {
      if (!server.listening) return;
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
  return ghost;
}

/** The recorded post with some fields changed, or left out where they are undefined. */
export function ghostPost(changes: GhostPost = {}): GhostPost {
  return { ...recorded.posts.posts[0], feature_image: null, ...changes };
}

/** Ghost's answer with these posts in the place of the recorded one. */
export function posts(...list: GhostPost[]): RequestListener {
  return send(200, "application/json; charset=utf-8", JSON.stringify({ ...recorded.posts, posts: list }));
}

export function send(status: number, type: string, body: string | Buffer): RequestListener {
  return (_, response) => {
    response.writeHead(status, { "Content-Type": type });
    response.end(body);
  };
}

export function redirect(location: string): RequestListener {
  return (_, response) => {
    response.writeHead(302, { Location: location });
    response.end();
  };
}

/** Takes the request and says nothing, ever. */
export const silent: RequestListener = () => {};

/** Begins an answer and goes on with a space now and then, ever. */
export const neverEnding: RequestListener = (_, response) => {
  response.writeHead(200, { "Content-Type": "application/json" });
  trickle(response, '{"posts":[', 20);
};

/** Sends so many bytes in pieces, without saying how many there will be. */
export function flood(type: string, bytes: number): RequestListener {
  return (_, response) => {
    response.writeHead(200, { "Content-Type": type });
    const piece = Buffer.alloc(64 * 1024, "x");
    const more = (left: number): void => {
      if (left <= 0) response.end();
      else response.write(piece, () => more(left - piece.length));
    };
    more(bytes);
  };
}

function trickle(response: ServerResponse, text: string, every: number): void {
  response.write(text);
  const timer = setInterval(() => response.write(" "), every);
  response.on("close", () => clearInterval(timer));
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join() : value;
}

function readRecorded<T = unknown>(name: string): T {
  return JSON.parse(readFileSync(`${root}/tests/support/ghost/${name}`, "utf8"));
}
