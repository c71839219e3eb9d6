import { afterEach, expect, test, vi } from "vitest";
import { normaliseEmail } from "#app/server/email-address.ts";
import { messages } from "#app/waitlist/messages.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { emailBinding } from "#tests/support/pool/email.ts";
import { mockFetch, passedVerdict, turnstileKeys, unlimitedRates } from "#tests/support/pool/failures.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { scheduledApp } from "#tests/support/pool/scheduled-app.ts";
import { apiSite } from "#tests/support/pool/site.ts";
import { runScheduled } from "#worker/scheduled.ts";

freshStorageForEachTest();
captureLog();
afterEach(() => void vi.restoreAllMocks());

const SPELLINGS = 1_000;
const NETWORKS = 200;
const VISITOR = "grace@example.com";

/** 1,000 spellings of one Gmail address: a different set of dots each, with capitals, tags and both domains. */
const spellings = Array.from({ length: SPELLINGS }, (_, n) => {
  const local = [..."adalovelace"]
    .map((letter, place) => ((n * 7) % 11 === place ? letter.toUpperCase() : letter) + ((n >> place) & 1 ? "." : ""))
    .join("");
  const tag = n % 3 === 0 ? `+fair${n}` : "";
  const domain = ["gmail.com", "googlemail.com", "GMail.com", "gmail.com."][n % 4];
  return `${local}${tag}@${domain}`;
});

/** 200 networks: half of them IPv4 addresses, the others each an IPv6 /48. */
function clientIn(network: number): string {
  return network % 2 === 0 ? `198.18.${network}.7` : `2001:db8:${network.toString(16)}:1::7`;
}

/** Signs up with every spelling and requests its welcome email, as the page does. Returns responses by status. */
async function flood(bindings: Partial<Env>) {
  const site = apiSite(bindings);
  const statuses: Record<number, number> = {};
  const refusals: Response[] = [];
  for (let first = 0; first < SPELLINGS; first += 20) {
    await Promise.all(
      spellings.slice(first, first + 20).map(async (email, offset) => {
        const headers = { "CF-Connecting-IP": clientIn((first + offset) % NETWORKS) };
        const response = await site.post("/api/signup", { email }, headers);
        statuses[response.status] = (statuses[response.status] ?? 0) + 1;
        if (response.status === 429) refusals.push(response);
        if (response.ok) await site.post("/api/send-welcome", { email }, headers);
      }),
    );
  }
  return { statuses, refusals };
}

/** One run of the cron job on the free plan. */
async function sweep(binding: SendEmail, vars: object): Promise<void> {
  await runScheduled(scheduledApp(Date.now(), { binding, vars: { WORKERS_PLAN: "free", ...vars } }));
}

const toMailbox = (accepted: string[]) => accepted.filter((to) => to !== VISITOR);

test("the 1,000 spellings are different addresses", () => {
  expect(new Set(spellings.map(normaliseEmail)).size).toBe(SPELLINGS);
});

test("one mailbox in 1,000 spellings from 200 networks within a minute receives three emails, and a visitor theirs", {
  timeout: 120_000,
}, async () => {
  const { binding, accepted } = emailBinding();
  // Verifies the token of the visitor; the flood sends none.
  mockFetch(async () => Response.json(passedVerdict));
  const bindings = { ...turnstileKeys, EMAIL: binding };
  const { statuses } = await flood(bindings);
  expect(statuses).toEqual({ 201: 3, 429: 997 });

  const joining = { email: VISITOR, "cf-turnstile-response": "token" };
  expect((await apiSite(bindings).post("/api/signup", joining)).status).toBe(201);
  await sweep(binding, turnstileKeys);
  expect(toMailbox(accepted)).toHaveLength(3);
  expect(accepted).toContain(VISITOR);
});

test("the same holds where no rate limit helps: the daily limit alone refuses, with the time to wait", {
  timeout: 120_000,
}, async () => {
  const { binding, accepted } = emailBinding();
  const { statuses, refusals } = await flood({ ...unlimitedRates, EMAIL: binding });
  expect(statuses).toEqual({ 201: 3, 429: 997 });
  for (const response of refusals) {
    const seconds = Number(response.headers.get("Retry-After"));
    expect(seconds).toBeGreaterThan(86_000);
    expect(seconds).toBeLessThanOrEqual(86_400);
  }
  const error = { code: "rate-limited", message: messages["mailbox-limited"] };
  expect(await refusals[0]?.json()).toEqual({ ok: false, error });
  expect(await rows("waitlist_emails")).toHaveLength(3);
  for (let run = 0; run < 3; run += 1) await sweep(binding, {});
  expect(toMailbox(accepted)).toHaveLength(3);
});
