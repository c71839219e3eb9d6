import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { sendWelcome } from "#app/email/deliver.server.ts";
import { EmailError } from "#app/email/mailer.server.ts";
import { LEASE } from "#app/email/outbox.server.ts";
import { retryDelay } from "#app/email/retry-schedule.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/database.ts";
import { emailBinding } from "#tests/support/pool/email.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { outboxHarness } from "#tests/support/pool/outbox-harness.ts";

freshDatabaseForEachTest();
const log = captureLog();

const HOUR = 3_600_000;
const OWNER = "owner@stallwright.example";
const visitors = (count: number) => Array.from({ length: count }, (_, n) => `ada${n}@example.com`);

/** An office with a ceiling and so many who have joined, of whose mail nothing has been sent. */
async function crowdedOffice({ emailsPerHour = 3, joined = 5, failures = 0 } = {}) {
  const { binding, accepted } = emailBinding({ failures });
  const office = outboxHarness({ binding, emailsPerHour, ownerEmail: OWNER });
  for (const email of visitors(joined)) await office.join(email);
  const toVisitors = () => accepted.filter((to) => to !== OWNER);
  const toOwner = () => accepted.filter((to) => to === OWNER);
  return { ...office, toVisitors, toOwner };
}

test("beyond the ceiling mail waits, untried and with the reason, and goes out when the hour has moved on", async () => {
  const office = await crowdedOffice();
  expect(await office.sweep()).toEqual({ sent: 3, failed: 0, dead: 0 });
  const waiting = (await rows("mail_outbox")).filter((row) => row["sent_at"] === null);
  const untried = { attempts: 0, dead_at: null, leased_until: 0, last_error: expect.stringContaining("MAIL_PER_HOUR") };
  expect(waiting).toMatchObject([untried, untried]);

  office.clock.now += HOUR - 1;
  expect(await office.sweep()).toMatchObject({ sent: 0 });
  office.clock.now += 1;
  expect(await office.sweep()).toMatchObject({ sent: 2 });
  expect(office.toVisitors().toSorted()).toEqual(visitors(5));
  expect((await rows("mail_outbox")).map((row) => row["last_error"])).toEqual(Array(5).fill(null));
});

test("the browser's call is under the same ceiling, and answered as if there were none", async () => {
  const office = await crowdedOffice({ emailsPerHour: 2, joined: 3 });
  for (const email of visitors(3)) expect(await sendWelcome(office.deps, email)).toBe("done");
  expect(office.toVisitors()).toEqual(visitors(2));
  const [, , held] = await rows("mail_outbox");
  expect(held).toMatchObject({ attempts: 0, last_error: expect.stringContaining("MAIL_PER_HOUR") });
});

test("sweeps and calls at once stay under the ceiling together", async () => {
  const office = await crowdedOffice({ emailsPerHour: 7, joined: 30 });
  const calls = visitors(30).map((email) => sendWelcome(office.deps, email));
  await Promise.all([office.sweep(), office.sweep(), ...calls]);
  expect(office.toVisitors()).toHaveLength(7);
});

test("mail that is being sent counts until its sender is done or its lease ends", async () => {
  const office = await crowdedOffice({ emailsPerHour: 1, joined: 2 });
  await office.claim();
  expect(await office.sweep()).toMatchObject({ sent: 0 });
  office.clock.now += LEASE;
  expect(await office.sweep()).toMatchObject({ sent: 1 });
});

test("a try that fails takes nobody's place", async () => {
  const office = await crowdedOffice({ emailsPerHour: 1, joined: 2, failures: 1 });
  expect(await office.sweep()).toMatchObject({ failed: 1, sent: 1 });
});

test("mail that waits for another reason is not said to wait for the ceiling", async () => {
  const office = await crowdedOffice({ joined: 1, failures: 1 });
  await office.sweep();
  await office.sweep();
  expect((await rows("mail_outbox"))[0]?.["last_error"]).not.toContain("MAIL_PER_HOUR");
  expect(office.toOwner()).toEqual([]);
});

describe("the owner", () => {
  test("gets one mail an hour for as long as mail waits, however many sweep, and beyond the ceiling", async () => {
    const office = await crowdedOffice({ emailsPerHour: 1, joined: 4 });
    await Promise.all([office.sweep(), office.sweep()]);
    await office.sweep();
    expect(office.toOwner()).toHaveLength(1);
    office.clock.now += HOUR;
    await office.sweep();
    expect(office.toVisitors()).toHaveLength(2);
    expect(office.toOwner()).toHaveLength(2);
  });

  test("reads how many wait, and no visitor's address", async () => {
    const sent: EmailMessageBuilder[] = [];
    const binding = { send: async (mail: EmailMessageBuilder) => void sent.push(mail) } as unknown as SendEmail;
    const office = outboxHarness({ binding, emailsPerHour: 1, ownerEmail: OWNER });
    for (const email of visitors(3)) await office.join(email);
    await office.sweep();
    const told = sent.find(({ to }) => to === OWNER);
    for (const body of [told?.text, told?.html]) {
      expect(body).toContain("Waiting for their turn: 2");
      expect(body).not.toContain("example.com");
    }
    expect(told).toMatchObject({ replyTo: env.CONTACT_EMAIL });
  });

  test("finds it in the log, where no address stands", async () => {
    const office = await crowdedOffice({ emailsPerHour: 1, joined: 3 });
    await office.sweep();
    const line = log.map((entry) => JSON.parse(entry)).find(({ event }) => event === "sweep-held");
    expect(line).toMatchObject({ level: "warn", reason: "MAIL_PER_HOUR", perHour: 1, mails: 2 });
    expect(log.filter((entry) => entry.includes("@"))).toEqual([]);
  });

  test("whose mail fails gets it later with the same id, once, and the visitors' mail is not touched", async () => {
    const office = await crowdedOffice({ emailsPerHour: 1, joined: 2 });
    const refusals = [1, 2];
    const tries: string[] = [];
    const { mailer } = office.deps;
    office.deps.mailer = {
      async send(mail, id) {
        if (mail.to === OWNER) tries.push(id);
        if (mail.to === OWNER && refusals.pop() !== undefined)
          throw new EmailError(`no mailbox ${OWNER}`, { permanent: false });
        await mailer?.send(mail, id);
      },
    };
    expect(await office.sweep()).toEqual({ sent: 1, failed: 0, dead: 0 });
    await office.sweep();
    expect(tries).toHaveLength(1);
    expect(log.filter((entry) => entry.includes("notification-failed"))).toHaveLength(1);
    office.clock.now += retryDelay(1);
    await office.sweep();
    office.clock.now += retryDelay(2);
    await office.sweep();
    await office.sweep();
    expect(office.toOwner()).toHaveLength(1);
    expect(new Set(tries).size).toBe(1);
    expect(tries).toHaveLength(3);
    expect(log.join()).not.toContain(OWNER);
  });
});

test("what counts against the ceiling is found by indexes", async () => {
  const plan = async (where: string) =>
    (
      await env.DB.prepare(`EXPLAIN QUERY PLAN SELECT count(*) FROM mail_outbox WHERE ${where}`).all<{
        detail: string;
      }>()
    ).results[0]?.detail;
  expect(await plan("sent_at > 1")).toContain("mail_outbox_sent");
  expect(await plan("leased_until > 0 AND leased_until > 1")).toContain("mail_outbox_leased");
});
