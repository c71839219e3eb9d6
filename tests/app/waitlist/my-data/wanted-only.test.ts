import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { sendEmail } from "#app/email/deliver.server.ts";
import { recordResults } from "#app/email/record-results.server.ts";
import { keyedHash } from "#app/server/address-hash.server.ts";
import { suppress } from "#app/server/db/suppressions.server.ts";
import { unsubscribeEntry } from "#app/waitlist/entries.server.ts";
import { eraseEntry } from "#app/waitlist/erase-entries.server.ts";
import { type Intent, intents } from "#app/waitlist/my-data/entry-view.ts";
import {
  changeOwnEntry,
  exportOwnEntry,
  readOwnEntry,
  requestNewLink,
  toEntryView,
} from "#app/waitlist/my-data/own-entry.server.ts";
import { DATA_LINK_LIFETIME, signDataToken } from "#app/waitlist/my-data/token.server.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/database.ts";
import { emailBinding } from "#tests/support/pool/email.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { outboxHarness } from "#tests/support/pool/outbox-harness.ts";

freshDatabaseForEachTest();
const log = captureLog();

const ADA = "ada@example.com";
const DAY = 24 * 3_600_000;

const snapshot = async () =>
  Promise.all((["waitlist_emails", "email_outbox", "suppressions"] as const).map((table) => rows(table)));
const kinds = async () => (await rows("email_outbox")).map(({ kind }) => kind);

/** Ada's entry with its sent welcome email, and what she can do with the link in it. */
async function welcomed() {
  const { binding, accepted } = emailBinding();
  const outbox = outboxHarness({ binding });
  await outbox.join(ADA);
  await outbox.sweep();
  const own = {
    db: outbox.db,
    linkSecrets: [env.LINK_SECRET],
    hashKey: env.HASH_KEY,
    mustConfirm: false,
    now: () => outbox.clock.now,
  };
  const token = await signDataToken(1, outbox.clock.now, env.LINK_SECRET);
  return {
    ...outbox,
    accepted,
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
    const { binding, accepted } = emailBinding();
    const outbox = outboxHarness({ binding });
    await outbox.join(ADA);
    const [claimed] = await outbox.claim();
    const own = {
      db: outbox.db,
      linkSecrets: [env.LINK_SECRET],
      hashKey: env.HASH_KEY,
      mustConfirm: false,
      now: () => outbox.clock.now,
    };
    const token = await signDataToken(1, outbox.clock.now, env.LINK_SECRET);
    await changeOwnEntry(own, token, "never");
    await recordResults(outbox.db, [{ id: claimed?.id ?? "", state: "dead", reason: "never" }], outbox.clock.now);
    await changeOwnEntry(own, token, "rejoin");
    await outbox.sweep();
    expect(accepted).toEqual([ADA]);
  });

  test("stops even the question whether to rejoin, until the person rejoins", async () => {
    const ada = await welcomed();
    await ada.press("unsubscribe");
    expect(await ada.press("never")).toMatchObject({ kind: "done", changed: true });
    expect(await ada.press("never")).toMatchObject({ kind: "done", changed: false });
    expect(await ada.view()).toMatchObject({ kind: "unsubscribed", never: true });
    for (let day = 0; day < 20; day += 1) {
      await ada.enter();
      ada.clock.now += DAY;
    }
    expect(ada.accepted).toEqual([ADA]);
    expect(await rows("waitlist_emails")).toMatchObject([{ status: "unsubscribed" }]);
    expect(await exportOwnEntry(ada.own, ada.token)).toMatchObject({ suppression: { reason: "never", until: null } });

    expect(await ada.press("rejoin")).toMatchObject({ kind: "done", changed: true });
    expect(await rows("suppressions")).toEqual([]);
    expect(await ada.view()).toMatchObject({ kind: "active", never: false });
    expect(await exportOwnEntry(ada.own, ada.token)).toMatchObject({ suppression: null });
  });

  test("also unsubscribes someone who is on the list", async () => {
    const ada = await welcomed();
    expect(await ada.press("never")).toMatchObject({ kind: "done", changed: true });
    expect(await ada.view()).toMatchObject({ kind: "unsubscribed", never: true });
  });

  test("outlives the entry", async () => {
    const ada = await welcomed();
    await ada.press("never");
    await ada.press("erase");
    await ada.enter();
    expect(ada.accepted).toEqual([ADA]);
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
  test("works until 30 days after its email was queued, then shows, exports and changes nothing", async () => {
    const ada = await welcomed();
    ada.clock.now += DATA_LINK_LIFETIME - 1;
    expect(await ada.view()).toMatchObject({ kind: "active" });
    ada.clock.now += 1;
    const before = await snapshot();
    expect(await ada.view()).toEqual({ kind: "expired" });
    expect(await exportOwnEntry(ada.own, ada.token)).toBeNull();
    for (const intent of intents) expect(await ada.press(intent)).toEqual({ kind: "expired" });
    expect(await snapshot()).toEqual(before);
    expect(DATA_LINK_LIFETIME).toBe(30 * DAY);
  });

  test("that has expired looks the same for an active, an unsubscribed and an erased entry", async () => {
    const ada = await welcomed();
    ada.clock.now += DATA_LINK_LIFETIME;
    const active = await ada.view();
    await unsubscribeEntry(ada.db, 1, ada.clock.now);
    expect(await ada.view()).toEqual(active);
    await eraseEntry(ada.db, 1, ada.clock.now);
    expect(await ada.view()).toEqual(active);
  });

  test.each(["active", "unsubscribed"] as const)(
    "that has expired sends a new one to an %s entry, at most one a day",
    async (status) => {
      const ada = await welcomed();
      if (status === "unsubscribed") await ada.press("unsubscribe");
      ada.clock.now += DATA_LINK_LIFETIME;
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

  test("queues nothing for an erased entry or an invalid link", async () => {
    const ada = await welcomed();
    ada.clock.now += DATA_LINK_LIFETIME;
    await eraseEntry(ada.db, 1, ada.clock.now);
    expect(await requestNewLink(ada.own, ada.token)).toEqual({ kind: "done", emailId: null });
    expect(await requestNewLink(ada.own, `${ada.token}x`)).toEqual({ kind: "bad-link" });
    expect(await rows("email_outbox")).toEqual([]);
  });

  test("is not sent to an address that is suppressed", async () => {
    const ada = await welcomed();
    await ada.press("never");
    await requestNewLink(ada.own, ada.token);
    await ada.sweep();
    expect(ada.accepted).toEqual([ADA]);
  });
});
