import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import { expect, test } from "vitest";
import { builtWorker } from "#tests/support/pool/built-site.ts";
import { freshDatabaseForEachTest } from "#tests/support/pool/database.ts";
import { captureLog } from "#tests/support/pool/log.ts";

freshDatabaseForEachTest();
captureLog();

/** The same bindings for every request, as in one isolate, with pages kept as in production, or rendered each time. */
const isolates = { kept: { ...env, RENDER_CACHE: "on" }, rendered: { ...env, RENDER_CACHE: "off" } };

async function ask(path: string, init: RequestInit = {}, isolate = isolates.kept) {
  const execution = createExecutionContext();
  const response = await builtWorker.fetch(new Request(`${env.SITE_URL}${path}`, init), isolate, execution);
  const body = await response.text();
  await waitOnExecutionContext(execution);
  const policy = response.headers.get("Content-Security-Policy") ?? "";
  return { status: response.status, nonce: /'nonce-([^']+)'/.exec(policy)?.[1] ?? "none", body };
}

const accepted = `cookiePreferences=${encodeURIComponent('{"necessary":true,"analytics":true,"marketing":true,"v":1}')}`;

for (const [how, isolate] of Object.entries(isolates)) {
  test(`two visitors get the same page, ${how}, and never the same nonce`, async () => {
    const visits = await Promise.all(Array.from({ length: 20 }, () => ask("/", {}, isolate)));
    const nonces = visits.map(({ nonce }) => nonce);
    expect(new Set(nonces).size).toBe(20);
    for (const { nonce, body } of visits) {
      for (const other of nonces) expect(body.includes(other)).toBe(other === nonce);
    }
    const [first, ...others] = visits.map(({ nonce, body }) => body.replaceAll(nonce, "N"));
    for (const other of others) expect(other).toBe(first);
  });

  test(`no visitor is shown another's choice, ${how}`, async () => {
    const asked = async (headers: Record<string, string>) => (await ask("/privacy", { headers }, isolate)).body;
    for (let round = 0; round < 2; round += 1) {
      expect(await asked({})).toContain("Decline All");
      expect(await asked({ Cookie: accepted })).not.toContain("Decline All");
      expect(await asked({ "Sec-GPC": "1" })).toContain("sends Global Privacy Control");
      expect(await asked({})).not.toContain("sends Global Privacy Control");
    }
  });

  test(`no visitor is shown the answer to another's form, ${how}`, async () => {
    const form = (email: string) => ({ method: "POST", body: new URLSearchParams({ email }) });
    await ask("/", {}, isolate);
    const answers = [await ask("/", form("ada@example.com"), isolate), await ask("/", form("grace"), isolate)];
    expect(answers.map(({ status }) => status)).toEqual([201, 422]);
    expect(answers[1]?.body).toContain('value="grace"');
    for (let round = 0; round < 2; round += 1) {
      const { body } = await ask("/", {}, isolate);
      expect(body).not.toMatch(/Thanks for joining|value="grace"|valid email/);
    }
    const again = await ask("/", form("linus@example.com"), isolate);
    expect(again.status).toBe(201);
  });
}
