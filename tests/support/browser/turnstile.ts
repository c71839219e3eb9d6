import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A fake widget script: issues a token for an action on render and a new one after each reset. */
export const WIDGET = `
  let issued = 0;
  const fields = [];
  window.turnstile = {
    render(place, { callback, action }) {
      const field = Object.assign(document.createElement("input"), { type: "hidden", name: "cf-turnstile-response" });
      place.append(field);
      field.value = action + "-" + ++issued;
      setTimeout(callback, 50);
      return String(fields.push({ field, callback, action }) - 1);
    },
    reset(id) {
      fields[id].field.value = fields[id].action + "-" + ++issued;
      setTimeout(fields[id].callback, 50);
    },
    remove() {},
  };
`;

/** A fake siteverify: accepts each token once. */
export async function startVerifier() {
  const used = new Set<string>();
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const token = new URLSearchParams(Buffer.concat(parts).toString()).get("response") ?? "";
    const [, action] = /^(.+)-\d+$/.exec(token) ?? [];
    const success = action !== undefined && !used.has(token);
    used.add(token);
    const verdict = success
      ? { success, hostname: "localhost", action }
      : { success, "error-codes": ["timeout-or-duplicate"] };
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify(verdict));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { url: `http://127.0.0.1:${port}`, used, stop, [Symbol.asyncDispose]: stop };
}

/** Keys of a site with Turnstile, which verifies tokens at a URL. */
export function turnstileVars(url: string): Record<string, string> {
  return {
    TURNSTILE_SITE_KEY: "0x4AAAAAAAAAAAAAAAAAAAAA",
    TURNSTILE_SECRET: "0x4AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    TURNSTILE_URL: url,
  };
}
