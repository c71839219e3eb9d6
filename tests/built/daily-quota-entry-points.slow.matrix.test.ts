import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { confirmToken, createEntry, dataToken, unsubscribeToken } from "#tests/support/pool/built.ts";
import { entryPoints, fillIn } from "#tests/support/pool/entry-points.ts";
import { exhaustedSite } from "#tests/support/pool/exhausted-site.ts";
import { ownerBrowser } from "#tests/support/pool/owner.ts";
import { freshStorageForEachTest, sampleCases } from "#tests/support/pool/start.ts";

/* Every URL of the site, read from its routes, while D1 refuses queries until midnight UTC. */

const log = freshStorageForEachTest();

const UNTIL_MIDNIGHT = 5.5 * 3_600;
beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 10, 21, 18, 30), toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

const { pages, api, owner } = entryPoints;
// The sitemap then has no letters. The first request for a welcome email finds out after its response: the email waits.
const saysNothing = ["/sitemap.xml", "/api/send-welcome"];
// These leave out what they cannot read, or promise the least.
const withoutParts = ["/", "/roadmap", "/privacy", "/api/embed"];
const paths = ["/", ...pages, ...api, ...sampleCases(owner)];

test.each(paths)("%s: no 500, one log line at most for each request, without addresses or tokens", async (path) => {
  const id = await createEntry("active", "ada@example.com");
  const folder = path.split("/")[1] ?? "";
  const tokens: Record<string, string> = { unsubscribe: await unsubscribeToken(id), confirm: await confirmToken(id) };
  const token = tokens[folder] ?? (await dataToken(id));
  const filled = fillIn(path, { token, id: "1", name: "none" });
  const fields = { email: "eve@example.com", intent: "erase" };
  const browser = ownerBrowser();
  await browser.signIn();
  const cookie = Array.from(browser.cookies, ([name, value]) => `${name}=${value}`).join("; ");
  for (const ask of ["get", "postForm", "postJson"] as const) {
    const site = exhaustedSite({}, { written: 0 }, path.startsWith("/owner") ? { Cookie: cookie } : {});
    log.length = 0;
    const { status, retryAfter } = await site[ask](filled, ask === "get" ? {} : fields);
    expect(status, ask).not.toBe(500);
    if (status >= 500) expect(retryAfter).toBe(String(UNTIL_MIDNIGHT));
    // No success. Below 500: rejected as at any time, but not counted.
    const mayBeWell = ask === "get" ? [...saysNothing, ...withoutParts] : saysNothing;
    if (site.quota.used.refused > 0 && !mayBeWell.includes(path)) expect(status).toBeGreaterThanOrEqual(400);
    expect(log.filter((line) => line.includes("daily row")).length).toBeLessThanOrEqual(1);
    expect(log.join()).not.toMatch(/(ada|eve)@example\.com/);
    expect(log.join()).not.toContain(token);
  }
});
