import { expect, test } from "vitest";
import type { ProviderMailer, SendOutcome } from "#app/email/mailer.server.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { meteredD1 } from "#tests/support/pool/metered-d1.ts";
import { scheduledApp } from "#tests/support/pool/scheduled-app.ts";
import { seedEntries } from "#tests/support/pool/seed-entries.ts";
import { runScheduled } from "#worker/scheduled.ts";

freshStorageForEachTest();
captureLog();

const NOW = Date.UTC(2026, 10, 21, 12);

const refused: SendOutcome = { state: "later", scope: "all", reason: "rate-limit", retryAfter: 1_000, detail: "429" };

/** How a provider responds to the nth request. */
const providers: [string, (nth: number) => SendOutcome][] = [
  [
    "ends a window after every two emails",
    (nth) => (nth % 2 === 0 ? { state: "sent", pause: 1_000 } : { state: "sent" }),
  ],
  ["accepts every second email", (nth) => (nth % 2 === 0 ? refused : { state: "sent" })],
  ["accepts none", () => refused],
];

test.each(providers)(
  "a run on the free plan makes at most 45 subrequests if the provider %s",
  async (_name, respond) => {
    await seedEntries(100, NOW);
    const { d1, executed } = meteredD1();
    const clock = { now: NOW };
    let requests = 0;
    const mailer: ProviderMailer = {
      provider: "A test",
      description: "A test",
      keyLifetime: 0,
      async send() {
        requests += 1;
        return respond(requests);
      },
    };
    const app = scheduledApp(NOW, { vars: { WORKERS_PLAN: "free", OWNER_EMAIL: "owner@waitlist-site.example" }, d1 });
    const wait = async (milliseconds: number) => {
      clock.now += milliseconds;
    };
    await runScheduled({ ...app, mailer, now: () => clock.now, wait });
    expect(requests).toBeGreaterThan(2);
    expect(executed.length + requests).toBeLessThanOrEqual(45);
    const emails = await rows<{ attempts: number; sent_at: number | null }>("email_outbox");
    expect(emails.filter(({ attempts, sent_at }) => attempts !== (sent_at === null ? 0 : 1))).toEqual([]);
  },
);
