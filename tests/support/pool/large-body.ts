import { env } from "cloudflare:test";
import type { OwnerBrowser } from "#tests/support/pool/owner.ts";

const HEAD = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nemail\n';

/** Posts a form of so many megabytes, piece by piece. @returns the response, and how many of them were read */
export async function postMegabytes(
  browser: OwnerBrowser,
  path: string,
  megabytes: number,
  { headers = {}, length = true }: { headers?: Record<string, string>; length?: boolean } = {},
) {
  const piece = new TextEncoder().encode("x".repeat(4_095).concat("\n").repeat(256));
  let read = 0;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(HEAD)),
    pull(controller) {
      if (read === megabytes) controller.close();
      else controller.enqueue(piece);
      read += 1;
    },
  });
  const announced: Record<string, string> = length ? { "Content-Length": String(megabytes * piece.byteLength) } : {};
  const sent = { Origin: env.SITE_URL, "Content-Type": "multipart/form-data; boundary=x", ...announced, ...headers };
  return { ...(await browser.request(path, { method: "POST", body, headers: sent })), read };
}
