import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { send as sendTo } from "#tests/support/pool/built.ts";
import { freshStorageForEachTest } from "#tests/support/pool/start.ts";

freshStorageForEachTest();

/** The same bindings for every request, as in one isolate, with the page cache on or off. */
const isolates = { cached: { ...env, RENDER_CACHE: "on" }, rendered: { ...env, RENDER_CACHE: "off" } };

async function send(path: string, init: RequestInit = {}, isolate = isolates.cached) {
  const { headers, ...response } = await sendTo(path, init, isolate);
  const policy = headers.get("Content-Security-Policy") ?? "";
  return { ...response, nonce: /'nonce-([^']+)'/.exec(policy)?.[1] ?? "none" };
}

const accepted = `cookiePreferences=${encodeURIComponent('{"necessary":true,"analytics":true,"marketing":true}')}`;

for (const [how, isolate] of Object.entries(isolates)) {
  test(`visitors get the same page (${how}) with different nonces`, async () => {
    const visits = await Promise.all(Array.from({ length: 20 }, () => send("/", {}, isolate)));
    const nonces = visits.map(({ nonce }) => nonce);
    expect(new Set(nonces).size).toBe(20);
    for (const { nonce, body } of visits) {
      for (const other of nonces) expect(body.includes(other)).toBe(other === nonce);
    }
    const [first, ...others] = visits.map(({ nonce, body }) => body.replaceAll(nonce, "N"));
    for (const other of others) expect(other).toBe(first);
  });

  test(`pages (${how}) do not leak another visitor's consent choice`, async () => {
    const bodyFor = async (headers: Record<string, string>) => (await send("/privacy", { headers }, isolate)).body;
    for (let round = 0; round < 2; round += 1) {
      expect(await bodyFor({})).toContain("Decline All");
      expect(await bodyFor({ Cookie: accepted })).not.toContain("Decline All");
      expect(await bodyFor({ "Sec-GPC": "1" })).toContain('data-gpc=""');
      expect((await bodyFor({})) + (await bodyFor({ "Sec-GPC": "0" }))).not.toContain('data-gpc=""');
    }
  });

  test(`pages (${how}) do not leak the response to another visitor's form`, async () => {
    const form = (email: string) => ({ method: "POST", body: new URLSearchParams({ email }) });
    await send("/", {}, isolate);
    const responses = [await send("/", form("ada@example.com"), isolate), await send("/", form("grace"), isolate)];
    expect(responses.map(({ status }) => status)).toEqual([201, 422]);
    expect(responses[1]?.body).toContain('value="grace"');
    for (let round = 0; round < 2; round += 1) {
      const { body } = await send("/", {}, isolate);
      expect(body).not.toMatch(/Thanks for joining|value="grace"|data-status="error"/);
    }
    const again = await send("/", form("linus@example.com"), isolate);
    expect(again.status).toBe(201);
  });
}
