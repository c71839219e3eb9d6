import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { claimDue } from "#app/email/outbox.server.ts";
import { sendEmail } from "#app/email/sender.server.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { outboxHarness } from "#tests/support/pool/emails.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

const HOUR = 3_600_000;
/** The network that floods. */
const FLOOD = 1;
/** Emails of a flood; few with `npm test`. */
const FLOOD_EMAILS = env.FUZZ_FACTOR === 1 ? 1_000 : 100;
const ADA = "ada@example.com";

/** An outbox whose sign-ups come from networks, and are not verified by Turnstile. */
function networkOutbox(options: Parameters<typeof outboxHarness>[0] = {}) {
  const outbox = outboxHarness(options);
  return {
    ...outbox,
    /** Signs up, and asks for the email as the page does. */
    async signUp(email: string, network: number | null, verified: boolean | null = null) {
      await outbox.join(email, { network, verified });
      await sendEmail(outbox.deps, { email });
    },
    async flood(emails: number, network = FLOOD) {
      for (let n = 0; n < emails; n += 1) {
        await outbox.join(`fake${network}-${n}@example.com`, { network, verified: null });
        outbox.clock.now += 1;
      }
    },
  };
}

test(`with ${FLOOD_EMAILS} emails waiting from one network, another network's visitor gets theirs with the next sweep`, async () => {
  const outbox = networkOutbox({ emailsPerHour: 40 });
  for (let n = 0; n < 40; n += 1) await outbox.signUp(`first${n}@example.com`, FLOOD);
  expect(outbox.accepted.length).toBeLessThan(40);
  await outbox.flood(FLOOD_EMAILS);
  await outbox.signUp(ADA, 2);
  expect(outbox.accepted).not.toContain(ADA);
  const before = outbox.accepted.length;
  await outbox.sweep();
  expect(outbox.accepted.slice(before)).toContain(ADA);
  expect(outbox.accepted.length - before).toBeLessThanOrEqual(2);
});

test.each([1, 3])(
  "during an hour of a flood from each of %i networks, another network's visitor gets theirs at once",
  async (networks) => {
    const outbox = networkOutbox({ emailsPerHour: 40 });
    for (let network = 1; network <= networks; network += 1)
      await outbox.flood(Math.ceil(FLOOD_EMAILS / networks), network);
    for (let minute = 0; minute < 45; minute += 1) {
      await outbox.sweep();
      outbox.clock.now += 60_000;
    }
    expect(outbox.accepted).toHaveLength(20);
    await outbox.signUp(ADA, 9);
    await outbox.sweep();
    expect(outbox.accepted.slice(20)).toEqual([ADA]);
  },
);

test("verified visitors' emails take turns too", async () => {
  const outbox = networkOutbox();
  for (let n = 0; n < 30; n += 1) await outbox.join(`fake${n}@example.com`, { network: FLOOD });
  outbox.clock.now += 1;
  await outbox.join(ADA, { network: 2 });
  const claims = await claimDue(outbox.db, { now: outbox.clock.now, limit: 10, perHour: 500, owners: [] });
  expect(claims).toHaveLength(10);
  expect(claims.map(({ email }) => email)).toContain(ADA);
});

test("networks with as many emails are sent them by age", async () => {
  const outbox = networkOutbox();
  for (const network of [9, 3, 7, 1, 5]) {
    await outbox.join(`network${network}@example.com`, { network, verified: null });
    outbox.clock.now += 1;
  }
  const claim = async () => {
    const [claimed] = await claimDue(outbox.db, { now: outbox.clock.now, limit: 1, perHour: 500, owners: [] });
    return claimed?.email;
  };
  const order = [await claim(), await claim(), await claim(), await claim(), await claim()];
  expect(order).toEqual([9, 3, 7, 1, 5].map((network) => `network${network}@example.com`));
});

test("every email of a flood is sent in the end, once", async () => {
  const outbox = networkOutbox({ emailsPerHour: 60 });
  await outbox.flood(90, 1);
  await outbox.flood(40, 2);
  await outbox.signUp(ADA, 3);
  for (let hour = 0; hour < 6; hour += 1) {
    for (let sweep = 0; sweep < 5; sweep += 1) {
      await Promise.all([outbox.sweep(), outbox.sweep()]);
      outbox.clock.now += HOUR / 5;
    }
  }
  expect(outbox.accepted).toHaveLength(131);
  expect(new Set(outbox.accepted).size).toBe(131);
});

test("a claim reads few rows for each network, however many emails wait, also where more than half of the limit is used", async () => {
  const meter = meteredD1();
  const outbox = networkOutbox({ d1: meter.d1, emailsPerHour: 60 });
  const claimed = async (count: number, servesSmallNetworks = true) => {
    meter.reset();
    const options = { now: outbox.clock.now, limit: 10, perHour: 60, owners: [], servesSmallNetworks };
    expect(await claimDue(outbox.db, options)).toHaveLength(count);
    return meter.rowsRead();
  };
  await outbox.flood(300);
  const few = await claimed(10);
  await outbox.flood(300);
  expect(await claimed(10)).toBeLessThan(few + 50);
  for (let network = 1_000; network < 1_100; network += 1) await outbox.flood(1, network);
  for (let claim = 0; claim < 2; claim += 1) expect(await claimed(10)).toBeLessThan(2_000);
  // Half of the limit and a quarter, and nothing after it.
  expect(await claimed(5)).toBeLessThan(2_000);
  expect(await claimed(0, false)).toBeLessThan(2_000);
});

test("the network of an email is kept until it is claimed", async () => {
  const outbox = networkOutbox({ emailsPerHour: 1 });
  await outbox.signUp("sent@example.com", 5);
  await outbox.signUp("waits@example.com", 5);
  expect((await rows<{ network: number | null }>("email_outbox")).map(({ network }) => network)).toEqual([null, 5]);
});

test("beyond half of the send limit, networks with few emails get one a sweep, up to three quarters of it", async () => {
  const outbox = networkOutbox({ emailsPerHour: 8 });
  await outbox.flood(10);
  await outbox.sweep();
  await outbox.sweep();
  expect(outbox.accepted).toHaveLength(4);
  for (const network of [2, 3, 4]) await outbox.signUp(`person${network}@example.com`, network);
  expect(outbox.accepted).toHaveLength(4);
  await outbox.sweep();
  await outbox.sweep();
  expect(outbox.accepted.slice(4).toSorted()).toEqual(["person2@example.com", "person3@example.com"]);
  await outbox.signUp(ADA, 6, true);
  expect(outbox.accepted.slice(6)).toEqual([ADA]);
});
