import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { keyedHash } from "#app/server/address-hash.server.ts";
import { localVars } from "#scripts/lib/local-vars.ts";
import { localWaitlist } from "#tests/support/local-waitlist.ts";
import { addPeople } from "#tests/support/waitlist-file.ts";

const waitlist = localWaitlist();

beforeEach(() => {
  waitlist.clear();
  addPeople(waitlist.file, 3);
});

const owner = (...args: string[]) => waitlist.run(args);

test("stats: totals, sources, and the state of emails", async () => {
  waitlist.file.exec(`UPDATE waitlist_emails SET created_at = ${Date.now()}`);
  waitlist.file.exec("UPDATE waitlist_emails SET status = 'unsubscribed' WHERE id = 1");
  waitlist.file.exec(
    "UPDATE email_outbox SET sent_at = NULL, dead_at = 1, reason = 'address-refused' WHERE entry_id = 2",
  );
  const { code, out } = await owner("stats", "--days", "2");
  expect(code).toBe(0);
  expect(out).toContain("2 on the waitlist, 1 unsubscribed, 0 erased; 3 joined in total");
  expect(out).toMatch(/landing_page +3$/m);
  expect(out).toMatch(/dead +1 +This address does not accept email$/m);
  const { entries } = JSON.parse((await owner("stats", "--json")).out);
  expect(entries).toEqual({ joined: 3, active: 2, unconfirmed: 0, unsubscribed: 1, erased: 0 });
  // Computed now, not read from the stats that the overview stores.
  expect((await owner("erase", "3", "--yes")).code).toBe(0);
  expect((await owner("stats")).out).toContain("1 on the waitlist, 1 unsubscribed, 1 erased; 3 joined in total");
  expect(waitlist.file.prepare("SELECT * FROM stats").all()).toEqual([]);
});

test("list: newest first, with filters and pages that say how to continue", async () => {
  const first = await owner("list", "--limit", "2");
  expect(first.out).toMatch(/person3@example\.com\n.*person2@example\.com\n\nMore entries: --after 2\n$/);
  const next = await owner("list", "--limit", "2", "--after", "2");
  expect(next.out.trimEnd()).toMatch(/person1@example\.com$/);
  for (const part of ["PERSON2", "n2@example", "person2@example.com"]) {
    const found = JSON.parse((await owner("list", "--search", part, "--json")).out);
    expect(found, part).toMatchObject([{ id: 2, email: "person2@example.com" }]);
  }
});

test("unconfirmed addresses: counted, listed and shown", async () => {
  waitlist.file.exec("UPDATE waitlist_emails SET confirm_by = 1 WHERE id > 1");
  waitlist.file.exec(
    "UPDATE waitlist_emails SET confirmed_at = 1, consent_version = '2026-11', consent_at = 1 WHERE id = 2",
  );
  expect((await owner("stats")).out).toContain("3 on the waitlist (1 not confirmed yet), 0 unsubscribed");
  const list = await owner("list", "--confirmation", "unconfirmed");
  expect(list.out).toMatch(/Not confirmed yet .*person3@example\.com\n$/);
  expect(list.out).not.toContain("person2");
  expect(await owner("list", "--confirmation", "maybe")).toMatchObject({ code: 2 });
  const { out } = await owner("find", "2");
  expect(out).toMatch(/^confirmation +Confirmed$/m);
  expect(out).toMatch(/^consent_version +2026-11$/m);
  expect((await owner("export")).out).toMatch(/"2026-11","1970-01-01T00:00:00.001Z","","confirmed"/);
});

test("find: by address or id", async () => {
  for (const argument of [" Person2@Example.com ", "2"]) {
    const { code, out } = await owner("find", argument);
    expect(code).toBe(0);
    expect(out).toMatch(/^email +person2@example\.com$/m);
    expect(out).toMatch(/^welcome +1 +\d{4}-/m);
  }
});

test("no output shows the hash of a mailbox", async () => {
  waitlist.file.exec("UPDATE waitlist_emails SET mailbox_hash = 'hash-of-the-mailbox' WHERE id = 2");
  const commands = [["find", "2"], ["find", "2", "--json"], ["list"], ["list", "--json"], ["export"]];
  for (const command of [...commands, ["export", "--format", "json"]]) {
    const { code, out } = await owner(...command);
    expect(code).toBe(0);
    expect(out, command.join(" ")).toContain("person2@example.com");
    expect(out, command.join(" ")).not.toMatch(/hash/);
  }
});

test("user input cannot control the owner's terminal", async () => {
  waitlist.file.prepare("UPDATE waitlist_emails SET utm_campaign = ? WHERE id = 1").run("\u001b[2J\u009b2Jgone\u202e");
  const { out } = await owner("list");
  expect(out).toContain("gone");
  expect(out.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});

test("outbox: waiting and dead emails to entries, with the reason; retry requeues the dead ones", async () => {
  waitlist.file.exec(`INSERT INTO email_outbox (id, kind, dedupe_key, priority, next_attempt_at, created_at, dead_at)
    VALUES ('link', 'sign-in', 'sign-in', 0, 1, 1, 1), ('digest', 'digest', 'digest', 2, 1, 1, NULL)`);
  waitlist.file.exec(
    "UPDATE email_outbox SET sent_at = NULL, dead_at = 1, attempts = 10, reason = 'timed-out' WHERE entry_id = 2",
  );
  expect((await owner("outbox", "waiting")).out).toBe("No emails are waiting.\n");
  expect((await owner("outbox", "dead")).out).toMatch(/2 +welcome +10 .*The email provider took too long to answer$/m);
  expect((await owner("outbox", "retry")).out).toContain("Requeued 1 failed email.");
  expect(JSON.parse((await owner("outbox", "waiting", "--json")).out)).toMatchObject([
    { entry_id: 2, attempts: 0, dead_at: null },
  ]);
});

test("outbox retry leaves out emails that may have arrived, unless they are asked for", async () => {
  waitlist.file.exec(
    "UPDATE email_outbox SET sent_at = NULL, dead_at = 1, reason = 'outcome-unknown' WHERE entry_id = 2",
  );
  expect((await owner("outbox", "dead")).out).toContain("The email provider never confirmed it");
  expect((await owner("outbox", "retry")).out).toContain("No failed emails to requeue.");
  expect((await owner("outbox", "retry", "--outcome-unknown")).out).toContain("Requeued 1 failed email.");
});

test("list: by the state of emails and by throwaway addresses", async () => {
  waitlist.file.exec("UPDATE email_outbox SET sent_at = NULL, dead_at = 1, reason = 'complaint' WHERE entry_id = 1");
  waitlist.file.exec("UPDATE waitlist_emails SET disposable = 1 WHERE id = 3");
  const ids = async (...args: string[]) =>
    (JSON.parse((await owner("list", "--json", ...args)).out) as { id: number }[]).map(({ id }) => id);
  expect(await ids("--email", "dead")).toEqual([1]);
  expect(await ids("--email", "dead.complaint")).toEqual([1]);
  expect(await ids("--email", "dead.never")).toEqual([]);
  expect(await ids("--disposable", "yes")).toEqual([3]);
  expect(await ids("--disposable", "no")).not.toContain(3);
  expect((await owner("find", "3")).out).toMatch(/^disposable +Yes$/m);
});

test("list: by role, campaign, referring site and day, as on the owner's pages", async () => {
  waitlist.file.exec(
    "UPDATE waitlist_emails SET role = 'host', utm_campaign = 'fair', referrer_host = 'a.example' WHERE id = 2",
  );
  waitlist.file.exec("UPDATE waitlist_emails SET created_at = 1764547200000 WHERE id = 3");
  const ids = async (...args: string[]) =>
    (JSON.parse((await owner("list", "--json", ...args)).out) as { id: number }[]).map(({ id }) => id);
  expect(await ids("--role", "host")).toEqual([2]);
  expect(await ids("--role", "none")).not.toContain(2);
  expect(await ids("--utm_campaign", "fair", "--referrer_host", "a.example")).toEqual([2]);
  expect(await ids("--without", "referrer_host")).not.toContain(2);
  expect(await ids("--from", "2025-12-01", "--until", "2025-12-01", "--time-zone", "UTC")).toEqual([3]);
});

test("unsuppress: lifts the suppression of an address, whether or not it has an entry", async () => {
  for (const email of ["person1@example.com", "erased@example.com"]) {
    const hash = await keyedHash("address:v1", email, localVars(0)["HASH_KEY"] ?? "");
    waitlist.file.prepare("INSERT INTO suppressions VALUES (?, 'complaint', NULL, 1)").run(hash);
  }
  const unconfirmed = await owner("unsuppress", "erased@example.com");
  expect(unconfirmed).toMatchObject({ code: 1, err: expect.stringContaining("Run it again with --yes.") });
  for (const left of [1, 0]) {
    const address = ["Person1@Example.com", "erased@example.com"][left] ?? "";
    const { code, out } = await owner("unsuppress", address, "--yes");
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining("reported an email as spam") });
    expect(waitlist.file.prepare("SELECT * FROM suppressions").all()).toHaveLength(left);
  }
  const again = await owner("unsuppress", "person1@example.com", "--yes");
  expect(again).toMatchObject({ code: 1, out: expect.stringContaining("was not suppressed") });
});

test("outbox waiting: why all email is on hold, and when it continues", async () => {
  waitlist.file.prepare("INSERT INTO email_holds VALUES ('daily-quota', ?, 1)").run(Date.now() + 3 * 24 * 3_600_000);
  const { code, out } = await owner("outbox", "waiting");
  expect(code).toBe(0);
  expect(out).toMatch(/^Daily limit reached; sending resumes at \d\d:\d\d on \d+ \w+ \d{4}\.$/m);
});

test("what the commands change is in the log, without addresses", async () => {
  const hash = await keyedHash("address:v1", "person1@example.com", localVars(0)["HASH_KEY"] ?? "");
  waitlist.file.prepare("INSERT INTO suppressions VALUES (?, 'complaint', NULL, 1)").run(hash);
  waitlist.file.exec("UPDATE email_outbox SET sent_at = NULL, dead_at = 1 WHERE entry_id = 1");
  for (const args of [["list"], ["find", "1"], ["stats"], ["outbox", "dead"], ["erase", "2"]]) await owner(...args);
  expect(waitlist.file.prepare("SELECT * FROM owner_log").all()).toEqual([]);
  await owner("unsuppress", "person1@example.com", "--yes");
  for (let run = 0; run < 2; run += 1) {
    await owner("outbox", "retry");
    await owner("erase", "person2@example.com", "--yes");
  }
  await owner("export", "--format", "json");
  const logged = waitlist.file.prepare("SELECT actor, action, details FROM owner_log ORDER BY id").all();
  expect(logged.map((row) => ({ ...row }))).toEqual([
    { actor: "command line", action: "unsuppress", details: '{"reason":"complaint"}' },
    { actor: "command line", action: "retry-emails", details: '{"emails":1}' },
    { actor: "command line", action: "erase", details: '{"entryId":2}' },
    { actor: "command line", action: "export", details: '{"format":"json","people":"may get email"}' },
  ]);
});

test("sign-in: a link for a site that runs and has an owner", async () => {
  let status = 403;
  const site = createServer((_, response) => response.writeHead(status).end());
  await once(site.listen(0), "listening");
  onTestFinished(() => void site.close());
  const port = String((site.address() as AddressInfo).port);
  const { code, out } = await owner("sign-in", "--port", port);
  expect({ code, out }).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^http:\/\/localhost:\d+\/owner\/sign-in\/\S+\n/),
  });
  expect(out).toContain("It signs in owner@waitlist-site.example.");
  // The site may have been started with --var OWNER_EMAIL:….
  const other = await owner("sign-in", "--port", port, "--owner", "Ada@Market.test");
  expect(other).toMatchObject({ code: 0, out: expect.stringContaining("It signs in ada@market.test.") });
  const invalid = await owner("sign-in", "--port", port, "--owner", "ada");
  expect(invalid).toMatchObject({ code: 2, out: "", err: expect.stringContaining("--owner must be an email address") });
  status = 404;
  const closed = await owner("sign-in", "--port", port);
  expect(closed).toMatchObject({ code: 1, out: "", err: expect.stringContaining("OWNER_EMAIL is not set") });
});

test.each([
  [["list", "--email", "lost"], 2, /--email must be sent, waiting or dead/],
  [["list", "--role", "admin"], 2, /--role must be one of host, /],
  [["list", "--from", "2026-13-01"], 2, /--from must be a day/],
  [[], 2, /stats.*\n.*list/],
  [["--help"], 0, /stats.*\n.*list/],
  [["nonsense"], 2, /Unknown command: nonsense\.\n\nFor help: npm run owner -- --help/],
  [["list", "--lots"], 2, /Unknown option '--lots'/],
  [["list", "--limit", "all"], 2, /--limit must be a whole number from 1 to 10000, not "all"\./],
  [["list", "--order", "best"], 2, /--order must be one of newest, .*, not "best"\./],
  [["outbox"], 2, /Use outbox waiting, outbox dead or outbox retry\./],
  [["find"], 1, /Which entry\?\n\nGive an address or an id/],
  [["find", "ada"], 1, /neither an address nor an id/],
  [["unsuppress"], 1, /Which entry\?/],
  [["unsuppress", "3", "--yes"], 1, /not a complete address/],
  [["sign-in", "--port", "1"], 1, /No site responds at http:\/\/localhost:1\.\n\nStart it with npm start/],
  [["sign-in", "--port", "web"], 2, /--port must be a whole number from 1 to 65535, not "web"\./],
  [["sign-in", "--port", "8787", "--remote"], 2, /--port is for a local site\./],
  [["find", "unknown@example.com"], 1, /There is no such entry\.\n\n/],
])("%j exits with %d and a message", async (args, code, message) => {
  const run = await owner(...args);
  expect(run.code).toBe(code);
  expect(run.out + run.err).toMatch(message);
  expect(run.err).not.toMatch(/^\s+at |unknown@example/m);
});

test.each(["stats", "list", "find", "export", "erase", "outbox", "unsuppress", "sign-in"])(
  "%s --help lists its options",
  async (command) => {
    const { code, out } = await owner(command, "--help");
    expect(code).toBe(0);
    expect(out).toContain(`npm run owner -- ${command}`);
    expect(out).toContain("--persist-to");
  },
);
