import { describe, expect, test } from "vitest";
import { sweepOutbox } from "#app/email/deliver.server.ts";
import { resendMailer } from "#app/email/providers/resend/mailer.server.ts";
import type { Failure } from "#scripts/lib/resend-account.ts";
import { apiError } from "#scripts/lib/resend-rules.ts";
import { freshDatabaseForEachTest } from "#tests/support/pool/database.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { outboxHarness } from "#tests/support/pool/outbox-harness.ts";
import { openResendAccount } from "#tests/support/pool/resend-account.ts";
import { waysOfLeaving } from "#tests/support/pool/ways-of-leaving.ts";

freshDatabaseForEachTest();
captureLog();

const HOUR = 3_600_000;

const faults: [string, Failure][] = [
  ["an internal error", apiError(500, "internal_server_error", "An unexpected error occurred.")],
  ["an acceptance with an error", "accepted-with-error"],
  ["a quota", apiError(429, "daily_quota_exceeded", "You have reached your daily quota.")],
];

describe.each(faults)("while their sign-up email waits for another attempt after %s", (_fault, failure) => {
  test.each(waysOfLeaving)("someone who %s is sent none any more", async (_way, leave) => {
    const { db, deps, clock, join } = outboxHarness();
    const resend = await openResendAccount();
    const mailer = resendMailer({ apiKey: "re_test", from: "pioneers@waitlist-site.example", url: resend.url });
    const email = "ada@example.com";
    const added = await join(email);
    if (added.kind !== "new") throw new Error(added.kind);
    await resend.fail(failure);
    await sweepOutbox({ ...deps, mailer });
    const before = await resend.state();
    expect(before.requests).toBe(1);
    await leave({ db, now: deps.now, id: added.id, email });
    for (let attempt = 0; attempt < 3; attempt += 1) {
      clock.now += 12 * HOUR;
      await sweepOutbox({ ...deps, mailer });
    }
    expect(await resend.state()).toEqual(before);
  });
});
