import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { recordAttempts, sendEmail } from "#app/email/sender.server.ts";
import { suppress } from "#app/server/db/suppressions.server.ts";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import { unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import { eraseEntry } from "#app/waitlist/entries/erase-entries.server.ts";
import type { Intent } from "#app/waitlist/my-data/entry-view.ts";
import { changeOwnEntry, readOwnEntry, requestNewLink, toEntryView } from "#app/waitlist/my-data/own-entry.server.ts";
import { exportOwnEntry } from "#app/waitlist/my-data/stored-data.server.ts";
import { signDataToken } from "#app/waitlist/my-data/token.server.ts";
import { outboxHarness } from "#tests/support/pool/emails.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";

const log = freshDatabaseForEachTest();

const ADA = "ada@example.com";
const DAY = 24 * 3_600_000;

const kinds = async () => (await rows("email_outbox")).map(({ kind }) => kind);

/** Ada's entry with her welcome email, which is sent unless it is still to be, and what she can do with its link. */
async function welcomed({ sent = true } = {}) {
  const outbox = outboxHarness();
  await outbox.join(ADA);
  if (sent) await outbox.sweep();
  const { db, clock } = outbox;
  const own = {
    db,
    linkSecrets: [env.LINK_SECRET],
    hashKey: env.HASH_KEY,
    mustConfirm: false,
    entryHooks: {},
    now: () => clock.now,
  };
  const token = await signDataToken(1, clock.now, env.LINK_SECRET);
  return {
    ...outbox,
    own,
    token,
    press: (intent: Intent) => changeOwnEntry(own, token, intent),
    view: async () => toEntryView(await readOwnEntry(own, token)),
    /** Someone enters the address again. */
    async enter() {
      await outbox.join(ADA);
      await outbox.sweep();
    },
  };
}

describe("never email this address again", () => {
  test("chosen while the welcome email was being sent: rejoining sends it after all", async () => {
    const ada = await welcomed({ sent: false });
    const claims = await ada.claim();
    await ada.press("never");
    await recordAttempts(ada.db, claims, [{ id: claims[0]?.id ?? "", state: "dead", reason: "never" }], ada.clock.now);
    await ada.press("rejoin");
    await ada.sweep();
    expect(ada.accepted).toEqual([ADA]);
  });

  test("stops even the question whether to rejoin, until the person rejoins", async () => {
    const ada = await welcomed();
    await ada.press("unsubscribe");
    await ada.press("never");
    for (let day = 0; day < 20; day += 1) {
      await ada.enter();
      ada.clock.now += DAY;
    }
    expect(ada.accepted).toEqual([ADA]);
    expect(await rows("waitlist_emails")).toMatchObject([{ status: "unsubscribed" }]);
    expect(await exportOwnEntry(ada.own, ada.token)).toMatchObject({ suppression: { reason: "never", until: null } });
    await ada.press("rejoin");
    expect(await exportOwnEntry(ada.own, ada.token)).toMatchObject({ suppression: null });
  });
});

test("rejoining lifts a complaint, and leaves a bounce to end by itself", async () => {
  const ada = await welcomed();
  const hashes = [await keyedHash("address:v1", ADA, env.HASH_KEY)];
  const { now } = ada.clock;
  for (const [reason, until, left] of [
    ["complaint", null, 0],
    ["hard-bounce", now + DAY, 1],
  ] as const) {
    await unsubscribeEntry(ada.db, 1, now);
    await suppress(ada.db, { hashes, reason, until }, now);
    await ada.press("rejoin");
    expect(await rows("suppressions")).toHaveLength(left);
  }
});

describe("a link to an entry", () => {
  test("works until 30 days after its email was queued, then looks the same whether or not there is an entry", async () => {
    const ada = await welcomed();
    ada.clock.now += 30 * DAY - 1;
    expect(await ada.view()).toMatchObject({ kind: "active" });
    ada.clock.now += 1;
    expect(await ada.view()).toEqual({ kind: "expired" });
    await unsubscribeEntry(ada.db, 1, ada.clock.now);
    expect(await ada.view()).toEqual({ kind: "expired" });
    await eraseEntry(ada.db, 1, ada.clock.now);
    expect(await ada.view()).toEqual({ kind: "expired" });
  });

  test.each(["active", "unsubscribed"] as const)(
    "that has expired sends a new one to an %s entry, at most one a day",
    async (status) => {
      const ada = await welcomed();
      if (status === "unsubscribed") await ada.press("unsubscribe");
      ada.clock.now += 30 * DAY;
      const ask = async () => {
        const requested = await requestNewLink(ada.own, ada.token);
        if (requested.kind === "done" && requested.emailId !== null)
          await sendEmail(ada.deps, { id: requested.emailId });
        return ada.accepted.length - 1;
      };
      expect([await ask(), await ask()]).toEqual([1, 1]);
      ada.clock.now += DAY - 1;
      expect(await ask()).toBe(1);
      ada.clock.now += 1;
      expect([await ask(), await ask()]).toEqual([2, 2]);
      expect(await kinds()).toEqual(["welcome", "my-data-link"]);
      // The new link is valid from when its email was queued.
      const fresh = await signDataToken(1, ada.clock.now, env.LINK_SECRET);
      expect(await readOwnEntry(ada.own, fresh)).toMatchObject({ kind: "found" });
      expect(log.filter((line) => line.includes("@"))).toEqual([]);
    },
  );

  test("is not sent to an address that is suppressed", async () => {
    const ada = await welcomed();
    await ada.press("never");
    await requestNewLink(ada.own, ada.token);
    await ada.sweep();
    expect(ada.accepted).toEqual([ADA]);
  });
});
