import { beforeEach, expect, test } from "vitest";
import { localWaitlist } from "#tests/support/local-waitlist.ts";

/* `npm run owner -- sign-in` goes by what owners have set, and takes back whom they have removed. */

const waitlist = localWaitlist();

/** What the local site is deployed with. */
const OWNER = "owner@waitlist-site.example";
const ADA = "ada@market.example";

beforeEach(() => waitlist.clear());

const store = (stored: object | string) =>
  waitlist.file
    .prepare("INSERT OR REPLACE INTO settings VALUES (1, ?, 1)")
    .run(typeof stored === "string" ? stored : JSON.stringify(stored));
const signIn = (...args: string[]) => waitlist.run(["sign-in", ...args]);
const rows = (table: string) => waitlist.file.prepare(`SELECT * FROM ${table}`).all();
const stored = () => JSON.parse(String(rows("settings")[0]?.["stored"]));

test("a link for an owner who was added on the page", async () => {
  store({ OWNERS_ADDED: ADA });
  expect((await signIn("--owner", ADA)).out).toContain(`It signs in ${ADA}.`);
  expect((await signIn()).err).toContain(`--owner ${OWNER}\n--owner ${ADA}`);
});

test("one who was removed gets a link only if they are taken back, which is logged and told to every owner", async () => {
  store({ OWNERS_ADDED: ADA, OWNERS_REMOVED: OWNER });
  expect((await signIn()).out).toContain(`It signs in ${ADA}.`);
  const refused = await signIn("--owner", OWNER);
  expect(refused).toMatchObject({ code: 1, out: "", err: expect.stringContaining("run it again with --restore") });
  expect(rows("owner_sign_in_tokens")).toHaveLength(1);

  const restored = await signIn("--owner", "Owner@Waitlist-site.example", "--restore");
  expect(restored).toMatchObject({ code: 0, out: expect.stringContaining(`It signs in ${OWNER}.`) });
  expect(stored()).toEqual({ OWNERS_ADDED: ADA });
  const logged = rows("owner_log").find(({ action }) => action === "restore-owner");
  expect(JSON.parse(String(logged?.["details"]))).toEqual({ setting: "Owners", from: ADA, to: `${OWNER}, ${ADA}` });
  const emails = rows("email_outbox");
  expect(emails.map(({ kind }) => kind)).toEqual(["settings-changed", "settings-changed"]);
  expect(JSON.parse(String(emails[0]?.["data"]))).toMatchObject({ by: null, changes: [{ label: "Owners" }] });
  // The same again changes nothing.
  await signIn("--owner", OWNER, "--restore");
  expect(rows("email_outbox")).toHaveLength(2);
});

test("one whom the page had added is added again", async () => {
  store({ OWNERS_REMOVED: ADA });
  expect((await signIn("--owner", ADA, "--restore")).code).toBe(0);
  expect(stored()).toEqual({ OWNERS_ADDED: ADA });
});

test("if no one is left, it says who can be taken back", async () => {
  store({ OWNERS_REMOVED: `${OWNER}, ${ADA}` });
  expect(await signIn()).toMatchObject({
    code: 1,
    err: expect.stringContaining(`--restore --owner ${OWNER}\n--restore --owner ${ADA}`),
  });
});

test("a stranger is not taken back, nor is no one", async () => {
  store({ OWNERS_REMOVED: ADA });
  expect(await signIn("--owner", "eve@market.example", "--restore")).toMatchObject({ code: 1, out: "" });
  expect(await signIn("--restore")).toMatchObject({ code: 1, err: expect.stringContaining("Add --owner ADDRESS") });
  expect(stored()).toEqual({ OWNERS_REMOVED: ADA });
});

test("a broken row goes by its last versions, and is mended", async () => {
  store("no JSON");
  const fields = JSON.stringify([
    ["owners-added", ADA],
    ["owners-removed", OWNER],
  ]);
  waitlist.file
    .prepare("INSERT INTO saved_versions (path, fields, saved_at) VALUES ('/owner/settings/owners', ?, 1)")
    .run(fields);
  expect((await signIn()).out).toContain(`It signs in ${ADA}.`);
  expect((await signIn("--owner", OWNER)).code).toBe(1);
  expect((await signIn("--owner", OWNER, "--restore")).code).toBe(0);
  expect(stored()).toMatchObject({ OWNERS_ADDED: ADA });
  store("again none");
  expect((await signIn("--owner", OWNER)).code).toBe(0);
});
