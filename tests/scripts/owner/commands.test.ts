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

/** Suppresses an address. */
async function suppress(email: string): Promise<void> {
  const hash = await keyedHash("address:v1", email, localVars(0)["HASH_KEY"] ?? "");
  waitlist.file.prepare("INSERT INTO suppressions VALUES (?, 'complaint', NULL, 1)").run(hash);
}

/** The ids of the entries that an export with these options has. */
async function exportedIds(...options: string[]): Promise<number[]> {
  const { code, out } = await owner("export", "--everyone", "--format", "json", ...options);
  expect(code).toBe(0);
  return (JSON.parse(out) as { id: number }[]).map(({ id }) => id);
}

test("export leaves out people who have yet to confirm, and says how the others did", async () => {
  waitlist.file.exec("UPDATE waitlist_emails SET confirm_by = 1 WHERE id > 1");
  waitlist.file.exec(
    "UPDATE waitlist_emails SET confirmed_at = 1, consent_version = '2026-11', consent_at = 1 WHERE id = 2",
  );
  const { out } = await owner("export");
  expect(out).toMatch(/"2026-11","1970-01-01T00:00:00.001Z","","confirmed"/);
  expect(out).not.toContain("person3");
  expect(await exportedIds("--confirmation", "unconfirmed")).toEqual([3]);
});

test("no export shows the hash of a mailbox", async () => {
  waitlist.file.exec("UPDATE waitlist_emails SET mailbox_hash = 'hash-of-the-mailbox' WHERE id = 2");
  for (const format of ["csv", "json"]) {
    const { code, out } = await owner("export", "--format", format);
    expect(code).toBe(0);
    expect(out, format).toContain("person2@example.com");
    expect(out, format).not.toMatch(/hash/);
  }
});

test("export: by the state of emails and by throwaway addresses", async () => {
  waitlist.file.exec("UPDATE email_outbox SET sent_at = NULL, dead_at = 1, reason = 'complaint' WHERE entry_id = 1");
  waitlist.file.exec("UPDATE waitlist_emails SET disposable = 1 WHERE id = 3");
  expect(await exportedIds("--email", "dead")).toEqual([1]);
  expect(await exportedIds("--email", "dead.complaint")).toEqual([1]);
  expect(await exportedIds("--email", "dead.never")).toEqual([]);
  expect(await exportedIds("--disposable", "yes")).toEqual([3]);
  expect(await exportedIds("--disposable", "no")).toEqual([1, 2]);
});

test("export: by address, role, campaign, referring site and day, as on the owner's pages", async () => {
  waitlist.file.exec(
    "UPDATE waitlist_emails SET role = 'host', utm_campaign = 'fair', referrer_host = 'a.example' WHERE id = 2",
  );
  waitlist.file.exec("UPDATE waitlist_emails SET created_at = 1764547200000 WHERE id = 3");
  for (const part of ["PERSON2", "n2@example", "person2@example.com"]) {
    expect(await exportedIds("--search", part), part).toEqual([2]);
  }
  expect(await exportedIds("--role", "host")).toEqual([2]);
  expect(await exportedIds("--role", "none")).toEqual([1, 3]);
  expect(await exportedIds("--utm_campaign", "fair", "--referrer_host", "a.example")).toEqual([2]);
  expect(await exportedIds("--without", "referrer_host")).toEqual([1, 3]);
  expect(await exportedIds("--from", "2025-12-01", "--until", "2025-12-01", "--time-zone", "UTC")).toEqual([3]);
});

test("unsuppress: lifts the suppression of an address, whether or not it has an entry", async () => {
  for (const email of ["person1@example.com", "erased@example.com"]) await suppress(email);
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

test("what the commands do is in the log, without addresses", async () => {
  await suppress("person1@example.com");
  await owner("unsuppress", "person2@example.com", "--yes");
  expect(waitlist.file.prepare("SELECT * FROM owner_log").all()).toEqual([]);
  await owner("unsuppress", "person1@example.com", "--yes");
  await owner("export", "--format", "json");
  const logged = waitlist.file.prepare("SELECT actor, action, details FROM owner_log ORDER BY id").all();
  expect(logged.map((row) => ({ ...row }))).toEqual([
    { actor: "command line", action: "unsuppress", details: '{"reason":"complaint"}' },
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
  [["export", "--email", "lost"], 2, /--email must be sent, waiting or dead/],
  [["export", "--role", "admin"], 2, /--role must be one of host, /],
  [["export", "--from", "2026-13-01"], 2, /--from must be a day/],
  [["export", "--time-zone", "Exampleton"], 2, /--time-zone must be a time zone such as Europe\/London/],
  [["export", "--format", "pdf"], 2, /--format must be one of csv, .*, json/],
  [["export", "--format", "ghost", "--everyone"], 2, /leave out --everyone/],
  [["export", "--search="], 2, /--search needs a value\./],
  [[], 2, /sign-in: .*\n(.*\n)*unsuppress ADDRESS/],
  [["--help"], 0, /sign-in: .*\n(.*\n)*unsuppress ADDRESS/],
  [["nonsense"], 2, /Unknown command: nonsense\.\n\nFor help: npm run owner -- --help/],
  [["export", "--lots"], 2, /Unknown option '--lots'/],
  [["import"], 2, /Which file\?/],
  [["import", "missing.csv"], 1, /There is no file missing\.csv\./],
  [["unsuppress"], 1, /Which address\?\n\nGive an address/],
  [["unsuppress", "3", "--yes"], 1, /not a complete address/],
  [["sign-in", "--port", "1"], 1, /No site responds at http:\/\/localhost:1\.\n\nStart it with npm start/],
  [["sign-in", "--port", "web"], 2, /--port must be a port number, not "web"\./],
  [["sign-in", "--port", "8787", "--remote"], 2, /--port is for a local site\./],
])("%j exits with %d and a message", async (args, code, message) => {
  const run = await owner(...args);
  expect(run.code).toBe(code);
  expect(run.out + run.err).toMatch(message);
  expect(run.err).not.toMatch(/^\s+at |unknown@example/m);
});

test("--help lists the options of every command", async () => {
  for (const args of [["--help"], ["export", "--help"]]) {
    const { code, out } = await owner(...args);
    expect(code).toBe(0);
    for (const option of ["owner", "everyone", "search", "columns", "yes", "persist-to", "remote"]) {
      expect(out).toContain(`  --${option} `);
    }
  }
});
