import type { RequestListener, ServerResponse } from "node:http";

export function redirect(location: string): RequestListener {
  return (_, response) => {
    response.writeHead(302, { Location: location });
    response.end();
  };
}

/** Accepts the request and never responds. */
export const silent: RequestListener = () => {};

/** Starts a response and keeps sending spaces forever. */
export const neverEnding: RequestListener = (_, response) => {
  response.writeHead(200, { "Content-Type": "application/json" });
  trickle(response, '{"posts":[', 20);
};

/** Streams this many bytes without a Content-Length. */
export function flood(type: string, bytes: number): RequestListener {
  return (_, response) => {
    response.writeHead(200, { "Content-Type": type });
    const piece = Buffer.alloc(64 * 1024, "x");
    const writeRest = (left: number): void => {
      if (left <= 0) response.end();
      else response.write(piece, () => writeRest(left - piece.length));
    };
    writeRest(bytes);
  };
}

function trickle(response: ServerResponse, text: string, milliseconds: number): void {
  response.write(text);
  const timer = setInterval(() => response.write(" "), milliseconds);
  response.on("close", () => clearInterval(timer));
}
