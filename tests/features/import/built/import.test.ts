import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import type { Mailer } from "#app/server/mailer.server.ts";
import { addEntry } from "#app/waitlist/sign-up/add-entry.server.ts";
import { peopleCsv } from "#tests/features/import/import-files.ts";
import { importSettings, postUpload, uploadFile } from "#tests/features/import/pool/owner-import.ts";
import { visibleText } from "#tests/support/pool/built.ts";
import { killedProcess } from "#tests/support/pool/d1.ts";
import { OWNER, ownerBrowser, signedInBrowser, technicalWords, withCookiesOf } from "#tests/support/pool/owner.ts";
import { db, freshStorageForEachTest, rows } from "#tests/support/pool/start.ts";

const log = freshStorageForEachTest();

const browser = signedInBrowser({ WORKERS_PLAN: "paid", MAIL_PER_HOUR: "400" });

/** The same owner on the free plan. */
const onFreePlan = () => withCookiesOf(browser, { WORKERS_PLAN: "free" });

const MB = 1_048_576;
const FORM = { "Content-Type": "multipart/form-data; boundary=x" };
const FILE_HEAD = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nemail\n';

/** Uploads a file. @returns the path of its import */
async function stage(content: string): Promise<string> {
  const { status, headers } = await uploadFile(browser, content);
  expect(status).toBe(303);
  return headers.get("Location") ?? "";
}

/** The text of an element with an id. */
const hidden = (body: string, name: string) => new RegExp(`name="${name}" value="(\\d+)"`).exec(body)?.[1] ?? "";

test("a file is uploaded, its columns chosen, checked, confirmed and imported", async () => {
  await addEntry(db, { email: "person2@example.com", source: "a", columns: {}, now: 0 });
  const path = await stage(`${peopleCsv(1_100)}no address,,\n`);
  const columns = await browser.request(path);
  expect(columns.body).toMatch(/<select[^>]* name="c0"[^>]*>.*?<option value="email" selected="">/s);
  expect(columns.body).toMatch(/<select[^>]* name="c1"[^>]*>.*?<option value="consent" selected="">/s);
  expect(visibleText(columns.body)).toContain("person1@example.com");

  const checked = await browser.post(path, { ...importSettings, c0: "email", c1: "", c2: "source", welcome: "yes" });
  expect(checked.status).toBe(303);
  const review = await browser.request(path);
  const text = visibleText(review.body);
  for (const part of [
    "Will be added 1,099",
    "Already on the waitlist, unchanged 1",
    "Rows left out 1",
    "1102 Not an email address",
    // A quarter of MAIL_PER_HOUR.
    "at most 100 an hour",
    "about 11 hours",
  ])
    expect(text).toContain(part);
  expect(await rows("waitlist_emails")).toHaveLength(1);

  expect((await browser.post(path, { intent: "confirm", checked: hidden(review.body, "checked") })).status).toBe(303);
  expect(await rows("waitlist_emails")).toHaveLength(1_100);
  const done = visibleText((await browser.request(path)).body);
  expect(done).toContain("1,099 people were added");
  expect(done).toContain("Already on the waitlist, unchanged 1");
  expect(await rows("imports")).toMatchObject([{ state: "done", added: 1_099 }]);
  expect(await rows("owner_log")).toMatchObject([
    { action: "sign-in" },
    { action: "import", actor: OWNER, details: JSON.stringify({ importId: 1, people: 1_100 }) },
  ]);
  expect(log.join()).not.toContain("person");
});

test("the page says how many days an import takes, where that is more than a minute", async () => {
  const free = onFreePlan();
  const path = await stage(peopleCsv(40));
  await browser.post(path, { ...importSettings, c0: "email", welcome: "yes" });
  const review = async (people: number, from = free) => {
    await env.DB.exec(
      `UPDATE imports SET rows = ${people}, report = json_set(report, '$.ready', ${people}, '$.rows', ${people})`,
    );
    return visibleText((await from.request(path)).body);
  };
  expect(await review(40)).not.toMatch(/a day|Workers|It takes/);
  expect(await review(1_000)).toContain("It takes up to an hour.");
  expect(await review(1_001)).toMatch(
    /It takes up to 2 days, .* Advanced: .* 50 rows a minute, and at most 1,000 a day\./,
  );
  expect(await review(1_001, browser)).not.toMatch(/a day|It takes/);
  const pages = ["/owner/import", path, `${path}?change`];
  for (const each of pages) expect(technicalWords((await free.request(each)).body), each).toEqual([]);
});

/** Runs of the cron job on the free plan, each of which Cloudflare ends while it adds rows. */
async function killRuns(runs: number) {
  const mailer: Mailer = { keyLifetime: 0, send: async () => ({ state: "sent" }) };
  for (let run = 0; run < runs; run += 1) {
    const { d1, untilDead } = killedProcess(mailer, { step: /^insert into "waitlist_emails"/, when: "before" });
    await untilDead(ownerBrowser({ WORKERS_PLAN: "free", DB: d1 }).runCron());
    await env.DB.exec("UPDATE jobs SET next_attempt_at = 0 WHERE kind = 'import'");
  }
}

test("an import whose every run is killed says why it stopped, and the owner continues it or gives up", async () => {
  const path = await stage(peopleCsv(1_100));
  await browser.post(path, { ...importSettings, c0: "email" });
  // After the first thousand, which a request on the paid plan has added.
  await env.DB.exec("UPDATE imports SET state = 'running', confirmed_at = 0, position = 1, added = 1000");
  await env.DB.exec(
    "INSERT INTO jobs (kind, subject, next_attempt_at, created_at) SELECT 'import', id, 0, 0 FROM imports",
  );
  await killRuns(4);
  const free = onFreePlan();
  const { body } = await free.request(path);
  for (const part of [
    "1,000 people were added",
    // The header is line 1.
    "ended the site’s run 3 times while it was adding rows in lines 1,002 to 1,051",
    "10 ms of CPU time",
    "npm run owner -- import FILE --remote",
  ])
    expect(visibleText(body)).toContain(part);
  expect(technicalWords(body)).toEqual([]);
  expect(visibleText((await browser.request(path)).body)).not.toContain("10 ms");

  await free.post(path, { intent: "continue" });
  expect(await rows("waitlist_emails")).toHaveLength(50);
  expect(await rows("imports")).toMatchObject([{ state: "running", rows_done: 50 }]);
  expect(visibleText((await free.request(path)).body)).toContain("95% done: about 1,050 of 1,100 rows");
  expect(visibleText((await free.request("/owner/import")).body)).toContain("Running: 95% done");
  expect((await browser.post(path, { intent: "discard" })).status).toBe(303);
  expect((await browser.post(path, { intent: "stop" })).status).toBe(303);
  const given = await browser.request(path);
  expect(visibleText(given.body)).toContain("1,050 people were added");
  expect(given.body).not.toContain('value="continue"');
  expect(await rows("import_chunks")).toEqual([]);
  expect(await rows("owner_log")).toMatchObject([
    { action: "sign-in" },
    { action: "continue-import", details: JSON.stringify({ importId: 1 }) },
    { action: "stop-import" },
  ]);
});

test("on the free plan a large import goes on in the cron job, and a larger one is refused", async () => {
  const free = onFreePlan();
  const path = (await uploadFile(free, peopleCsv(12_000))).headers.get("Location") ?? "";
  await free.post(path, { ...importSettings, c0: "email" });
  await free.post(path, { intent: "confirm", checked: hidden((await free.request(path)).body, "checked") });
  expect(await rows("waitlist_emails")).toHaveLength(50);
  expect(visibleText((await free.request(path)).body)).toContain("0% done");
  for (let run = 1; run < 4; run += 1) await free.runCron();
  expect(await rows("waitlist_emails")).toHaveLength(200);
  expect((await uploadFile(free, peopleCsv(40_000))).body).toContain("Use the command line");
  expect(await rows("imports")).toHaveLength(1);
});

test("what is missing is said next to what was typed, and nothing is stored", async () => {
  const path = await stage("A,B,C\nada@example.com,x,2026-10-05\n");
  const future = `${new Date().getUTCFullYear() + 2}-01-01`;
  const columns = { c1: "owner_note", c2: "owner_note" };
  const { status, body } = await browser.post(path, {
    ...importSettings,
    "consent-date": future,
    note: "",
    ...columns,
  });
  expect(status).toBe(422);
  for (const part of [
    "No column holds the email addresses",
    "Two columns are",
    "is in the future",
    "Say how these people agreed",
    `value="${future}"`,
  ])
    expect(body).toContain(part);
  expect(body).toMatch(/<select[^>]* name="c2"[^>]*>.*?<option value="owner_note" selected="">/s);
  expect(await rows("imports")).toMatchObject([{ state: "staged", settings: null }]);
  const undated = { ...importSettings, c0: "email", "consent-date": "" };
  expect((await browser.post(path, undated)).body).toContain("Say when these people agreed");
  expect((await browser.post(path, { ...undated, c2: "consent" })).status).toBe(303);
});

test("a file that cannot be imported is refused with a sentence, and nothing is stored", async () => {
  const files: [BlobPart, string][] = [
    [new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]), "a spreadsheet, not a CSV file"],
    ['email\n"open\n', "opened in line 2 is never closed"],
    [`email\n${`a@b.example${" ".repeat(1_000)}\n`.repeat(27_000)}`, "larger than 25 MB"],
  ];
  for (const [content, message] of files) {
    const { status, body } = await uploadFile(browser, content);
    expect([status, visibleText(body)], message).toEqual([422, expect.stringContaining(message)]);
  }
  expect((await uploadFile(browser, "x", "")).body).toContain("Choose the file again");
  const unfinished = `${FILE_HEAD}a@b.example`;
  for (const body of ["", "--x\r\n", unfinished])
    expect((await postUpload(browser, body, FORM)).body, body).toContain("Choose the file again");
  expect((await postUpload(browser, "email", { "Content-Type": "text/csv" })).status).toBe(422);
  expect(await rows("imports")).toEqual([]);
  expect(await rows("import_chunks")).toEqual([]);
  expect(log.filter((line) => line.includes("owner-page-failed"))).toEqual([]);
});

/** Posts a form of so many megabytes. @returns the response, and how many of them were read */
async function postMegabytes(
  megabytes: number,
  { path = "/owner/import", sender = browser, headers = {}, length = true } = {},
) {
  const piece = new TextEncoder().encode("x".repeat(4_095).concat("\n").repeat(256));
  let read = 0;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(FILE_HEAD)),
    pull(controller) {
      if (read === megabytes) controller.close();
      else controller.enqueue(piece);
      read += 1;
    },
  });
  const announced: Record<string, string> = length ? { "Content-Length": String(megabytes * MB) } : {};
  const sent = { Origin: env.SITE_URL, ...FORM, ...announced, ...headers };
  const response = await sender.request(path, { method: "POST", body, headers: sent });
  expect(await rows("imports")).toEqual([]);
  return { status: response.status, text: visibleText(response.body), read };
}

test.each([
  [true, 4],
  [false, 30],
])("200 MB are refused without being read, with a Content-Length: %s", async (length, limit) => {
  const { status, text, read } = await postMegabytes(200, { length });
  expect([status, text]).toEqual([422, expect.stringContaining("larger than 25 MB")]);
  expect(read).toBeLessThan(limit);
});

test("with an expired session, a file is read to its end, so that the browser shows the sign-in page", async () => {
  await env.DB.exec("DELETE FROM owner_sessions");
  const { status, text, read } = await postMegabytes(20);
  expect([status, text, read]).toEqual([403, expect.stringContaining("was not saved"), 21]);
});

test.each([
  ["a file, without a cookie", "/owner/import", {}, 200],
  ["a letter, without a cookie", "/owner/letters", {}, 20],
  ["a file, with a made-up cookie", "/owner/import", { Cookie: "__Host-owner=x; owner=x" }, 20],
  ["a file larger than allowed, with the cookie of an expired session", "/owner/import", null, 26],
  ["a letter larger than allowed, with the cookie of an expired session", "/owner/letters/1", null, 20],
])("%s, is not read", async (_, path, cookie, megabytes) => {
  await env.DB.exec("DELETE FROM owner_sessions");
  const from = cookie === null ? {} : { sender: ownerBrowser(), headers: cookie };
  const { status, read } = await postMegabytes(megabytes, { path, ...from });
  expect(status).toBe(403);
  expect(read).toBeLessThan(4);
});

test("the rows that are left out can be downloaded, without formulas", async () => {
  const path = await stage("email,note\nada@example.com,ok\nbad,=1+1\nada@example.com,again\n");
  expect((await browser.post(`${path}/problems.csv`)).status).toBe(404);
  await browser.post(path, { ...importSettings, c0: "email" });
  expect((await browser.request(path)).body).toContain(`<form action="${path}/problems.csv" method="post">`);
  expect((await browser.request(`${path}/problems.csv`)).headers.get("Location")).toBe(path);
  const { headers, body } = await browser.post(`${path}/problems.csv`);
  expect(headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
  expect(body.split("\r\n").slice(1)).toEqual([
    `"3","Not an email address","bad","'=1+1"`,
    `"4","The same address as in line 2","ada@example.com","again"`,
    "",
  ]);
});

test("unknown imports and intents change nothing; an import is discarded by its button", async () => {
  const path = await stage("email\na@example.com\n");
  await browser.post(path, { ...importSettings, c0: "email" });
  const before = JSON.stringify([await rows("imports"), await rows("import_chunks")]);
  expect((await browser.post(path, { intent: "erase" })).status).toBe(400);
  expect((await browser.post(path, { intent: "confirm", checked: "1" })).status).toBe(303);
  expect((await browser.request("/owner/import/999")).status).toBe(404);
  expect((await browser.post("/owner/import/999", { intent: "confirm" })).status).toBe(404);
  expect(JSON.stringify([await rows("imports"), await rows("import_chunks")])).toBe(before);
  expect((await browser.post(path, { intent: "discard" })).headers.get("Location")).toBe("/owner/import");
  expect(await rows("import_chunks")).toEqual([]);
});
