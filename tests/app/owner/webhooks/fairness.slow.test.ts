import { expect, test, vi } from "vitest";
import { addEndpoint } from "#app/owner/webhooks/endpoints.server.ts";
import { planLimits, type WorkersPlan } from "#app/server/plan-limits.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { scheduledApp } from "#tests/support/pool/emails.ts";
import { db, emptyDatabase, freshDatabaseForEachTest, needs } from "#tests/support/pool/start.ts";
import { addBacklog, MINUTE } from "#tests/support/pool/webhook-harness.ts";
import { runWebhooks } from "#worker/webhooks.ts";
import webhooksDocs from "../../../../docs/webhooks.md?raw";

needs("webhooks");
const log = freshDatabaseForEachTest();

const manners = ["accept", "refuse", "hang"] as const;
const plans = ["free", "paid"] as const;

/** Counts requests by host. The host `hang-1.example` hangs, and so on. */
function openReceivers() {
  const requests = new Map<string, number>();
  vi.spyOn(globalThis, "fetch").mockImplementation((input, init) => {
    const { hostname } = new URL(String(input));
    requests.set(hostname, (requests.get(hostname) ?? 0) + 1);
    if (hostname.startsWith("refuse")) return Promise.reject(new Error("Network connection lost."));
    if (hostname.startsWith("accept")) return Promise.resolve(new Response(null, { status: 204 }));
    return new Promise((_, reject) => init?.signal?.addEventListener("abort", () => reject(new Error("aborted"))));
  });
  return requests;
}

/** How many of 1,000 waiting events the newest endpoint gets in the first and the third run: the others begin before it. */
async function eventsOfRuns(plan: WorkersPlan, others: number, manner: (typeof manners)[number]) {
  await emptyDatabase();
  const requests = openReceivers();
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
    requests.clear();
    log.length = 0;
    const meter = meteredD1();
    const app = scheduledApp(start + run * 2 * MINUTE, { vars: { WORKERS_PLAN: plan }, d1: meter.d1 });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const running = runWebhooks(app);
    // Others hang until the endpoint has used what they leave.
    await vi.waitUntil(() => log.some((line) => line.includes(`"endpointId":${ids.at(-1)},`)), { timeout: 10_000 });
    if (manner === "hang") vi.advanceTimersByTime(15_000);
    await running;
    vi.useRealTimers();
    const used = meter.executed.length + requests.values().reduce((sum, count) => sum + count, 0);
    expect(used).toBeLessThanOrEqual(planLimits[plan].subrequests);
    events.push(requests.get("accept.example") ?? 0);
  }
  return { first: events[0] ?? 0, third: events[2] ?? 0 };
}

test("an endpoint gets what it would alone, less what tries at the others cost, as the docs say", async () => {
  const alone = { free: await eventsOfRuns("free", 0, "accept"), paid: await eventsOfRuns("paid", 0, "accept") };
  const table = [`| 1 | none | ${alone.free.third} | ${alone.paid.third} |`];
  for (const others of [1, 2, 3, 4]) {
    for (const manner of manners) {
      const cells: string[] = [];
      for (const plan of plans) {
        const { first, third } = await eventsOfRuns(plan, others, manner);
        const all = alone[plan].third;
        // The first time a try is a round, and then one event. Of equals, each may be a round behind.
        const least = manner === "accept" ? Math.floor(all / (others + 1)) - 6 : all - 5 * others;
        expect([manner, others, plan, third >= least]).toEqual([manner, others, plan, true]);
        expect(first).toBeGreaterThanOrEqual(Math.max(4, manner === "accept" ? least : all - 16 * others));
        cells.push(first === third ? String(third) : `${first}, then ${third}`);
      }
      const count = others > 1 ? `${others} ${manner}` : `1 ${manner}s`;
      table.push(`| ${others + 1} | ${count} | ${cells.join(" | ")} |`);
    }
  }
  vi.restoreAllMocks();
  console.log(table.join("\n"));
  const [, section = ""] = /### Shares of a run\n([^#]*)/.exec(webhooksDocs) ?? [];
  expect(section.split("\n").filter((line) => /^\| \d/.test(line))).toEqual(table);
});
