import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { peopleCsv } from "#tests/features/import/import-files.ts";
import { visibleText } from "#tests/support/pool/built.ts";
import { killedProcess } from "#tests/support/pool/d1.ts";
import { countingMailer } from "#tests/support/pool/emails.ts";
import { postMegabytes } from "#tests/support/pool/large-body.ts";
import {
  loggedActions,
  ownerBrowser,
  signedInBrowser,
  technicalWords,
  withCookiesOf,
} from "#tests/support/pool/owner.ts";
import { freshStorageForEachTest, join, rows } from "#tests/support/pool/start.ts";

const log = freshStorageForEachTest();

const browser = signedInBrowser({ WORKERS_PLAN: "paid", MAIL_PER_HOUR: "400" });
const textOf = async (path: string, from = browser) => visibleText((await from.request(path)).body);
const hidden = (body: string, name: string) => new RegExp(`name="${name}" value="(\\d+)"`).exec(body)?.[1] ?? "";
const missing = (text: string, parts: string[]) => parts.filter((part) => !text.includes(part));
const stored = async () => [await rows("imports"), await rows("import_chunks")];

/** Uploads a file. @returns the response, and the path of its import */
async function upload(content: BlobPart, { name = "list.csv", from = browser, separator = "" } = {}) {
  const body = new FormData();
  body.set("file", new File([content], name));
  body.set("separator", separator);
  const sent = await from.request("/owner/import", { method: "POST", body, headers: { Origin: env.SITE_URL } });
  return { ...sent, path: sent.headers.get("Location") ?? "" };
}

const settings = { intent: "check", c0: "email", "consent-date": "2026-10-05", note: "Paper list", welcome: "no" };

/** Checks a file, with more fields. @returns the page that then shows it */
async function check(path: string, fields: object = {}, from = browser): Promise<string> {
  const checked = hidden((await from.request(path)).body, "checked");
  expect((await from.post(path, { ...settings, checked, ...fields })).status).toBe(303);
  return (await from.request(path)).body;
}

const confirm = async (path: string, from = browser) =>
  from.post(path, { intent: "confirm", checked: hidden((await from.request(path)).body, "checked") });

test("a file is uploaded, its questions are answered, its people imported and unsubscribed, and all of it is undone", async () => {
  for (const name of ["opted-out", "there"]) await join(`${name}@example.com`, { now: 1 });
  const { path } = await upload(`E-mail,Status,Tags
new@example.com,active,host
later@example.com,perhaps,fair
opted-out@example.com,unsubscribed,fair
there@example.com,active,fair
tagged@example.com,active,do not email`);
  expect((await browser.request(path)).body).toMatch(/ name="c1"[^>]*>.*?<option value="status" selected="">/s);
  const columns = { c1: "status", c2: "labels", welcome: "yes" };
  const asked = visibleText(await check(path, columns)).replace(/[“”]/g, "");
  const questions = ["perhaps (1 row)", "do not email (1 row)", "The whole column says nothing about emails"];
  const optedOut = "They get email from this site now: opted-out@example.com.";
  expect(missing(asked, ["leaves something open", ...questions, optedOut])).toEqual([]);
  // Names of objects' members are no answers.
  for (const answers of [{ "w1.0": "active" }, { "w1.0": "constructor", "nothing.2": "yes" }]) {
    expect(await check(path, { ...columns, ...answers })).not.toContain('value="confirm"');
    await confirm(path);
    expect(await rows("imports")).toMatchObject([{ state: "checked" }]);
  }
  const answers = { ...columns, "w1.0": "active", "nothing.2": "yes" };
  const kept = visibleText(await check(path, { ...answers, "opted-out": "keep" }));
  const ready = visibleText(await check(path, { ...answers, "opted-out": "unsubscribe" }));
  expect(missing(kept, ["unchanged 2"])).toEqual([]);
  // A quarter of MAIL_PER_HOUR.
  const numbers = ["Will be added 3", "Will be unsubscribed 1", "unchanged 1", "left out 0", "at most 100 an hour"];
  expect(missing(ready, [...numbers, "Import 5 people"])).toEqual([]);
  expect(await rows("waitlist_emails")).toHaveLength(2);
  await confirm(path);
  const reasons = async () => (await rows("waitlist_emails")).map((entry) => entry["unsubscribe_reason"]);
  expect(await reasons()).toEqual(["import", null, null, null, null]);
  const { body } = await browser.request(path);
  expect(missing(visibleText(body), ["3 people were added", "Unsubscribed 1", "unchanged 1"])).toEqual([]);
  expect(body).toMatch(/href="\/owner\/entries\?imported=1"[^>]*>See imported people/);
  const undo = "/owner/entries/unsubscribe?imported=1&untouched=yes";
  expect(body).toContain(`action="${undo.replace("&", "&amp;")}"`);
  await browser.post(undo, { newest: hidden(body, "newest"), count: hidden(body, "count") });
  expect(await reasons()).toEqual(["import", null, "owner", "owner", "owner"]);
  expect(await textOf(path)).toMatch(/3 people were unsubscribed on .*Put them back, or erase them now/);
  expect((await loggedActions())[0]).toEqual(["import", { importId: 1, people: 5 }]);
  expect(log.join()).not.toContain("@example");
});

test("rows left out are listed by line with their reasons, which add up, on the page and in a file without formulas", async () => {
  const left: [line: string, reason: string][] = [
    [",2026-10-01,x,,", "No address"],
    ["bad@,,x,,=1+1", "Not an email address"],
    ["bad@,2026-02-30,,,", "Not an email address; Joined on: Not a date that this site reads"],
    ["ok@b.co,,x,,", "The same address as in an earlier line (line 2)"],
    ["a@b.co,,x,,,y", "More cells than the row of the headings"],
    ["b@b.co,2031-01-01,x,,", "Joined on: A date in the future"],
    ["c@b.co,2020-01-01,x,,", "Joined on: More than 24 months ago, and entries are erased after that time"],
    ["d@b.co,,some day,,", "Agreed on: Not a date that this site reads"],
    ["e@b.co,,,,", "No date of consent"],
    [`f@b.co,,x,,${"x".repeat(2_001)}`, "Your note: Too long"],
  ];
  const lines = ["ok@b.co,,x,,", ...left.map(([line]) => line), "gone@b.co,2031-01-01,,yes,"];
  const { path } = await upload(
    ["email,joined,consent,unsubscribed,note", ...lines].join("\n").replaceAll(",x,", ",2026-10-05,"),
  );
  expect((await browser.post(`${path}/problems.csv`)).status).toBe(404);
  const columns = { c1: "joined", c2: "consent", c3: "unsubscribed", c4: "owner_note", "consent-date": "" };
  const body = await check(path, columns);
  const [, section = ""] = /id="problems"(.*?)<\/section>/s.exec(body) ?? [];
  const counts = Array.from(section.matchAll(/: (\d)<\/li>/g), ([, count]) => Number(count));
  expect(counts).toEqual([1, 2, ...Array(7).fill(1)]);
  const listed = section.matchAll(/<tr>.*?>(\d+)<.*?>([^<>]+)<\/td><\/tr>/gs);
  const expected = left.map(([, reason], index) => [String(index + 3), reason]);
  expect(Array.from(listed, ([, line, text]) => [line, text])).toEqual(expected);
  expect(missing(visibleText(body), ["Added as unsubscribed 1", "Rows left out 10"])).toEqual([]);
  expect((await browser.request(`${path}/problems.csv`)).headers.get("Location")).toBe(path);
  const { body: file } = await browser.post(`${path}/problems.csv`);
  const downloaded = file.replace(" (line 2)", "").split("\r\n").slice(1, -1);
  for (const [index, [line, text = ""]] of expected.entries())
    expect(downloaded[index]).toContain(`"${line}","${text.replace(" (line 2)", "")}"`);
  expect(downloaded[1]).toBe(`"4","Not an email address","bad@","","2026-10-05","","'=1+1"`);
});

test("on the free plan an import goes on in the cron job; if every run is killed it says why, and is continued or given up", async () => {
  const free = withCookiesOf(browser, { WORKERS_PLAN: "free" });
  const { path } = await upload(peopleCsv(12_000), { from: free });
  const takes = visibleText(await check(path, { c1: "consent", c2: "source" }, free));
  expect(takes).toMatch(/It takes up to 12 days, .* Advanced: .* 50 rows a minute, and at most 1,000 a day\./);
  await confirm(path, free);
  for (let run = 0; run < 3; run += 1) await free.runCron();
  for (let run = 0; run < 4; run += 1) {
    const kill = { step: /^INSERT INTO waitlist_emails/, when: "before" } as const;
    const { d1, untilDead } = killedProcess(countingMailer().mailer, kill);
    await untilDead(ownerBrowser({ WORKERS_PLAN: "free", DB: d1 }).runCron());
    await env.DB.exec("UPDATE jobs SET next_attempt_at = 0 WHERE kind = 'import'");
  }
  const { body } = await free.request(path);
  const why = ["200 people were added", "3 times while it was adding rows in lines 202 to 251", "10 ms of CPU time"];
  expect([missing(visibleText(body), why), technicalWords(body)]).toEqual([[], []]);
  expect(await textOf(path)).not.toContain("10 ms");
  await free.post(path, { intent: "continue" });
  expect(await textOf(path, free)).toContain("2% done: about 250 of 12,000 rows");
  expect(await textOf("/owner/import", free)).toContain("Running: 2% done");
  for (const intent of ["discard", "stop"]) await browser.post(path, { intent });
  expect((await browser.request(path)).body).not.toContain('value="continue"');
  expect(await stored()).toMatchObject([[{ added: 250, stop_reason: "owner" }], []]);
  expect((await loggedActions()).slice(1).map(([action]) => action)).toEqual(["continue-import", "stop-import"]);
  expect((await upload(peopleCsv(40_000), { from: free })).body).toContain("Use the command line");
});

test("what is missing is said next to what was typed; unknown imports and intents change nothing", async () => {
  const { path } = await upload("A,B,C\nada@example.com,x,2026-10-05\n");
  const future = `${new Date().getUTCFullYear() + 2}-01-01`;
  const wrong = { c0: "", c1: "owner_note", c2: "owner_note", "consent-date": future, note: "" };
  const { status, body } = await browser.post(path, { ...settings, ...wrong });
  const parts = ["No column holds the email addresses", "Two columns are", "is in the future", "Say how these people"];
  expect([status, missing(body, [...parts, `value="${future}"`])]).toEqual([422, []]);
  expect(body).toMatch(/ name="c2"[^>]*>.*?<option value="owner_note" selected="">/s);
  const undated = { ...settings, "consent-date": "" };
  expect((await browser.post(path, undated)).body).toContain("Say when these people agreed");
  expect(await rows("imports")).toMatchObject([{ state: "staged", settings: null }]);
  await check(path, { ...undated, c2: "consent" });
  const before = await stored();
  for (const [to, intent] of [
    [path, "erase"],
    [path, "confirm"],
    ["/owner/import/999", "confirm"],
  ] as const)
    expect((await browser.post(to, { intent, checked: "1" })).status).toBeGreaterThan(300);
  expect([(await browser.request("/owner/import/999")).status, await stored()]).toEqual([404, before]);
});

test("a file that cannot be imported is refused with a sentence, and nothing is stored", async () => {
  const files: [BlobPart, message: string, name?: string][] = [
    [new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]), "a spreadsheet, not a CSV file"],
    ['email\n"open\n', "in line 2 has a quotation mark"],
    [`email\n${`a@b.example${" ".repeat(988)}\n`.repeat(10_010)}`, "larger than 10 MB"],
    ["x", "Choose a file.", ""],
  ];
  for (const [content, message, name] of files) {
    const { status, body } = await upload(content, { name });
    expect([status, visibleText(body)], message).toEqual([422, expect.stringContaining(message)]);
  }
  for (const length of [true, false]) {
    const { status, read } = await postMegabytes(browser, "/owner/import", 200, { length });
    expect([status, read < 15]).toEqual([422, true]);
  }
  expect([await stored(), log.filter((line) => line.includes("owner-page-failed"))]).toEqual([[[], []], []]);
  const { path } = await upload("email;note\na@b.example,x;y\n", { separator: "," });
  expect(await rows("imports")).toMatchObject([{ columns: '["email;note"]' }]);
  expect((await browser.post(path, { intent: "discard" })).headers.get("Location")).toBe("/owner/import");
  expect(await stored()).toEqual([[], []]);
  // The browser shows the sign-in page only once it has sent the file.
  await env.DB.exec("DELETE FROM owner_sessions");
  const { status, body, read } = await postMegabytes(browser, "/owner/import", 9);
  expect([status, visibleText(body), read]).toEqual([403, expect.stringContaining("was not saved"), 10]);
});
