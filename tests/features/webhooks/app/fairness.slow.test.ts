import { afterEach, describe, expect, test, vi } from "vitest";
import { sendWebhooks } from "#app/features/webhooks/deliver.server.ts";
import { addEndpoint } from "#app/features/webhooks/endpoints.server.ts";
import { planLimits, type WorkersPlan } from "#app/server/config/plan-limits.ts";
import { addBacklog, MINUTE } from "#tests/features/webhooks/pool/webhook-harness.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { scheduledApp } from "#tests/support/pool/emails.ts";
import { db, freshDatabaseForEachTest, needs } from "#tests/support/pool/start.ts";
import webhooksDocs from "../../../../docs/webhooks.md?raw";

needs("webhooks");
const log = freshDatabaseForEachTest();
afterEach(() => void vi.restoreAllMocks());

const manners = ["accept", "refuse", "hang"] as const;

const [, section = ""] = /### Shares of a run\n([^#]*)/.exec(webhooksDocs) ?? [];
/** Rows of the table in the docs: how many endpoints, what the others do, and the events of a run on each plan. */
const table = Array.from(
  section.matchAll(/^\| (\d) \| (?:none|\d (\w+?)s?) \| ([\d, then]+) \| ([\d, then]+) \|$/gm),
  ([, endpoints, does, free = "", paid = ""]) => {
    const manner = manners.find((known) => known === does) ?? "accept";
    return { endpoints: Number(endpoints), manner, free, paid };
  },
);

/** Counts requests by host. Those to `hang-1.example`, and so on, hang until a promise resolves. */
function openReceivers(end: Promise<void>) {
  const requests = new Map<string, number>();
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const { hostname } = new URL(String(input));
    requests.set(hostname, (requests.get(hostname) ?? 0) + 1);
    if (hostname.startsWith("hang")) await end;
    if (!hostname.startsWith("accept")) throw new Error("Network connection lost.");
    return new Response(null, { status: 204 });
  });
  return requests;
}

/** How many of 1,000 waiting events the newest endpoint gets in the first and the third run: the others begin before it. */
async function eventsOfRuns(plan: WorkersPlan, others: number, manner: (typeof manners)[number]) {
  const start = Date.now();
  const hosts = [...Array.from({ length: others }, (_, n) => `${manner}-${n}.example`), "accept.example"];
  const ids: number[] = [];
  for (const host of hosts) {
    const choice = { url: `https://${host}/`, events: [], has_personal_data: false };
    ids.push((await addEndpoint(db, choice, start)) ?? 0);
  }
  const events: number[] = [];
  for (const run of [0, 1, 2]) {
    for (const id of ids) await addBacklog(id, 1_000);
    log.length = 0;
    const end = Promise.withResolvers<void>();
    const requests = openReceivers(end.promise);
    const meter = meteredD1();
    const running = sendWebhooks(
      scheduledApp(start + run * 2 * MINUTE, { vars: { WORKERS_PLAN: plan }, d1: meter.d1 }),
    );
    // Others hang until the endpoint has used what they leave.
    await vi.waitUntil(() => log.some((line) => line.includes(`"endpointId":${ids.at(-1)},`)), { timeout: 30_000 });
    end.resolve();
    await running;
    const used = meter.executed.length + requests.values().reduce((sum, count) => sum + count, 0);
    expect(used).toBeLessThanOrEqual(planLimits[plan].subrequests);
    events.push(requests.get("accept.example") ?? 0);
  }
  return { first: events[0] ?? 0, third: events[2] ?? 0 };
}

test("the docs have each case", () => {
  const cases = [2, 3, 4, 5].flatMap((endpoints) => manners.map((manner) => [endpoints, manner]));
  expect(table.map(({ endpoints, manner }) => [endpoints, manner])).toEqual([[1, "accept"], ...cases]);
});

describe.each(["free", "paid"] as const)("on the %s plan an endpoint gets what the docs say", (plan) => {
  test.each(table)("$endpoints, where the others $manner", async ({ endpoints, manner, [plan]: events }) => {
    const others = endpoints - 1;
    const { first, third } = await eventsOfRuns(plan, others, manner);
    expect(first === third ? String(third) : `${first}, then ${third}`).toBe(events);
    // The first time a try is a round, and then one event. Of equals, each may be a round behind.
    const alone = Number(table[0]?.[plan]);
    const least = manner === "accept" ? Math.floor(alone / (others + 1)) - 6 : alone - 5 * others;
    expect(third).toBeGreaterThanOrEqual(least);
    expect(first).toBeGreaterThanOrEqual(Math.max(4, manner === "accept" ? least : alone - 16 * others));
  });
});
