import { env } from "cloudflare:test";
import { afterEach, expect, test, vi } from "vitest";
import { features } from "#app/features.ts";
import { letters } from "#app/switches.ts";
import { unescaped } from "#tests/support/pool/built.ts";
import { type OwnerBrowser, signedIn } from "#tests/support/pool/owner.ts";
import { freshStorageForEachTest, join, rows, stopClock } from "#tests/support/pool/start.ts";

/* A form that an owner sends after their session has ended is shown again, and is not lost by signing in. */

freshStorageForEachTest();
afterEach(() => void vi.useRealTimers());

const THREE_HOURS = 3 * 3_600_000;

/** An owner whose session has ended while they typed. */
async function endedSession(): Promise<OwnerBrowser> {
  const owner = await signedIn({});
  await join("someone@example.com");
  stopClock(Date.now() + THREE_HOURS);
  return owner;
}

/** The fields of the form that the sign-in page has kept. */
function keptFields(html: string): { action: string; fields: Record<string, string> } {
  const kept = html.slice(html.indexOf('id="kept"'));
  const action = /<form[^>]*action="([^"]*)"/.exec(kept)?.[1] ?? "none";
  const inputs = Array.from(kept.matchAll(/<input[^>]*>/g), ([input]) => [
    /name="([^"]*)"/.exec(input)?.[1] ?? "",
    unescaped(/value="([^"]*)"/.exec(input)?.[1] ?? ""),
  ]);
  const areas = Array.from(kept.matchAll(/<textarea[^>]*name="([^"]*)"[^>]*>(.*?)<\/textarea>/gs), ([, name, text]) => [
    name,
    unescaped(text ?? ""),
  ]);
  return { action: unescaped(action), fields: Object.fromEntries([...inputs, ...areas]) };
}

const long = `A text <of> two & more hours.\n\n${"Word after word. ".repeat(500)}`;
const forms: [path: string, fields: Record<string, string>, stored: [table: string, column: string]][] = [
  ["/owner/entries/1?status=active", { note: "Wants “two” tables\nby the gate" }, ["waitlist_emails", "owner_note"]],
];
if (features.some(({ name }) => name === "wordings"))
  forms.push([
    "/owner/emails/welcome",
    { subject: "Hello", heading: "Welcome", body: long.replace("<of>", "of").trim().slice(0, 1_500).trim() },
    ["email_wordings", "body"],
  ]);
if (letters)
  forms.push([
    "/owner/letters",
    { subject: "We open", "preview-line": "", "reply-to": "", body: long },
    ["letters", "body"],
  ]);

test.each(forms)(
  "what was sent to %s is shown, and is saved once its owner has signed in",
  async (path, typed, [table, column]) => {
    const owner = await endedSession();
    const refused = await owner.post(path, { ...typed, intent: "save" });
    expect(refused.status).toBe(403);
    expect(refused.body).toContain('target="_blank"');
    const { action, fields } = keptFields(refused.body);
    expect(action).toBe(path);
    expect(fields).toEqual({ ...typed, intent: "save" });
    // Without a session it is refused and shown once more; nothing is saved by itself.
    expect(keptFields((await owner.post(action, fields)).body).fields).toEqual(fields);
    const text = typed[column === "owner_note" ? "note" : column];
    expect((await rows<Record<string, unknown>>(table)).at(-1)?.[column] ?? null).toBeNull();
    await owner.signIn();
    expect((await owner.post(action, fields)).status).toBe(303);
    expect((await rows<Record<string, unknown>>(table)).at(-1)?.[column]).toBe(text);
  },
);

test("a file cannot be kept; the page says so", async () => {
  const owner = await endedSession();
  const body = new FormData();
  body.set("file", new File(["email\nada@example.com"], "list.csv"));
  body.set("separator", ";");
  const refused = await owner.request("/owner/import", {
    method: "POST",
    headers: { Origin: env.SITE_URL },
    body,
  });
  expect(refused.status).toBe(403);
  expect(refused.body).toContain("Choose it again once you are signed in.");
  expect(refused.body).not.toContain("Send it again");
});

test("a button alone is not kept: it is pressed on its own page, which says what it does", async () => {
  const owner = await endedSession();
  const { body } = await owner.post("/owner/entries/1", { intent: "erase" });
  expect(body).not.toContain("Send it again");
  expect(await rows("waitlist_emails")).toHaveLength(1);
});

test("signing out of an ended session forgets what the browser keeps, too", async () => {
  const owner = await endedSession();
  const left = await owner.post("/owner/sign-out");
  expect([left.status, left.body.includes("You are signed out")]).toEqual([200, true]);
  expect((await owner.post("/owner/sign-out")).status).toBe(403);
});

test("everyone else gets the page that strangers get, whatever they send", async () => {
  const owner = await endedSession();
  const fields = { note: "Not yours", intent: "save" };
  const path = "/owner/entries/1";
  const stranger = (await owner.request(path, { headers: { Cookie: "" } })).body;
  expect(stranger).toContain("Owner sign-in");
  const cookies = new Map(owner.cookies);
  const [name = "", value = ""] = [...cookies].find(([cookie]) => cookie.endsWith("owner")) ?? [];
  expect((await owner.post(path, fields)).body).toContain("Not yours");
  // Another site's form, even with the cookie.
  expect((await owner.post(path, fields, { Origin: "https://elsewhere.example" })).body).toBe(stranger);
  // Larger than any form of the page, or without a text.
  expect((await owner.post(path, { note: "x".repeat(600_000) })).body).toBe(stranger);
  expect((await owner.post(path, {})).body).toBe(stranger);
  // An altered cookie, another's, none.
  for (const other of [`${value.slice(0, -2)}xx`, "x", ""]) {
    owner.cookies.set(name, other);
    expect((await owner.post(path, fields)).body).toBe(stranger);
  }
  // Signed out.
  owner.cookies.clear();
  await owner.signIn();
  await owner.post("/owner/sign-out");
  expect((await owner.post(path, fields)).body).toBe(stranger);
});
