import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import type { Mailer } from "#app/email/mailer.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { addEntry } from "#app/waitlist/add-entry.server.ts";
import { peopleCsv } from "#tests/support/import-files.ts";
import { visibleText } from "#tests/support/pool/built-page.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { killedProcess } from "#tests/support/pool/killed-process.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { OWNER, ownerBrowser, signedInBrowser } from "#tests/support/pool/owner.ts";
import { importSettings, postUpload, uploadFile } from "#tests/support/pool/owner-import.ts";
import { technicalWords } from "#tests/support/pool/owner-words.ts";

freshStorageForEachTest();
const log = captureLog();

const browser = signedInBrowser({ WORKERS_PLAN: "paid", MAIL_PER_HOUR: "400" });

const MB = 1_048_576;

/** Uploads a file. @returns the path of its import */
async function stage(content: string): Promise<string> {
  const { status, headers } = await uploadFile(browser, content);
  expect(status).toBe(303);
  return headers.get("Location") ?? "";
}

/** The text of an element with an id. */
const hidden = (body: string, name: string) => new RegExp(`name="${name}" value="(\\d+)"`).exec(body)?.[1] ?? "";

test("a file is uploaded, its columns chosen, checked, confirmed and imported", async () => {
  await addEntry(openDb(env.DB), { email: "person2@example.com", source: "a", columns: {}, now: 0 });
  const path = await stage(`${peopleCsv(1_100)}no address,,\n`);
  const columns = await browser.request(path);
  expect(columns.body).toMatch(/<select[^>]* name="c0"[^>]*>.*?<option value="email" selected="">/s);
  expect(columns.body).toMatch(/<select[^>]* name="c1"[^>]*>.*?<option value="consent" selected="">/s);
  expect(visibleText(columns.body)).toContain("person1@example.com");

  const checked = await browser.post(path, { ...importSettings, c0: "email", c1: "", c2: "source", welcome: "yes" });
  expect(checked.status).toBe(303);
  const review = await browser.request(path);
  const text = visibleText(review.body);
  expect(text).toContain("Will be added 1,099");
  expect(text).toContain("Already on the waitlist, unchanged 1");
  expect(text).toContain("Rows left out 1");
  expect(text).toContain("1102 Not an email address");
  // A quarter of MAIL_PER_HOUR.
  expect(text).toContain("at most 100 an hour");
  expect(text).toContain("about 11 hours");
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

test.each(["email,name\n", ""])("pasted addresses are read as they were meant, below the names %j", async (names) => {
  const path = await stage(`${names}"\u200b\tO’Brien@Example.com\u00a0\ufeff",Ada\n`);
  await browser.post(path, { ...importSettings, c0: "email" });
  const checked = hidden((await browser.request(path)).body, "checked");
  await browser.post(path, { intent: "confirm", checked });
  expect((await rows("waitlist_emails")).map(({ email }) => email)).toEqual(["o'brien@example.com"]);
});

test("what the database may store in a day is mentioned only to those who come near it", async () => {
  const free = ownerBrowser({ WORKERS_PLAN: "free" });
  for (const [name, value] of browser.cookies) free.cookies.set(name, value);
  const path = await stage(peopleCsv(40));
  await browser.post(path, { ...importSettings, c0: "email", welcome: "yes" });
  const review = async (from = free) => visibleText((await from.request(path)).body);
  expect(await review()).toContain("Will be added 40");
  expect(await review()).not.toMatch(/a day|rows to the database|Workers|It takes/);
  const grown = (people: number) =>
    env.DB.exec(
      `UPDATE imports SET rows = ${people}, report = json_set(report, '$.ready', ${people}, '$.rows', ${people})`,
    );
  // Nine rows for each person and their email.
  await grown(5_555);
  expect(await review()).not.toContain("a day");
  await grown(5_556);
  expect(await review()).toMatch(/may store in a day.* until midnight UTC\. Advanced: it writes about 50,004 rows\./);
  expect(await review(browser)).not.toContain("a day");
  const pages = ["/owner/import", path, `${path}?change`];
  for (const each of pages) expect(technicalWords((await free.request(each)).body), each).toEqual([]);
});

/** Runs of the cron job on the free plan, each of which Cloudflare ends while it adds rows. */
async function killRuns(runs: number) {
  const mailer: Mailer = { keyLifetime: 0, send: async () => ({ state: "sent" }) };
  for (let run = 0; run < runs; run += 1) {
    const { d1, untilDead } = killedProcess(mailer, { step: /^insert into "waitlist_emails"/, when: "before" });
    await untilDead(ownerBrowser({ WORKERS_PLAN: "free", DB: d1 }).runCron());
    await env.DB.exec("UPDATE imports SET leased_until = 0");
  }
}

test("an import whose every run is killed says why it stopped, and the owner continues it or gives up", async () => {
  const path = await stage(peopleCsv(1_100));
  await browser.post(path, { ...importSettings, c0: "email" });
  // After the first thousand, which a request on the paid plan has added.
  await env.DB.exec("UPDATE imports SET state = 'running', confirmed_at = 0, position = 1, added = 1000");
  await killRuns(4);
  const free = ownerBrowser({ WORKERS_PLAN: "free" });
  for (const [name, value] of browser.cookies) free.cookies.set(name, value);
  const stopped = visibleText((await free.request(path)).body);
  expect(stopped).toContain("1,000 people were added");
  // The header is line 1.
  expect(stopped).toContain("ended the site’s run 3 times while it was adding rows in lines 1,002 to 1,051");
  expect(stopped).toContain("10 ms of CPU time");
  expect(stopped).toContain("npm run owner -- import FILE --remote");
  expect(technicalWords((await free.request(path)).body)).toEqual([]);
  expect(visibleText((await browser.request(path)).body)).not.toContain("10 ms");

  await free.post(path, { intent: "continue" });
  expect(await rows("waitlist_emails")).toHaveLength(50);
  expect(await rows("imports")).toMatchObject([{ state: "running", failures: 0, rows_done: 50 }]);
  const running = await free.request(path);
  expect(visibleText(running.body)).toContain("95% done: about 1,050 of 1,100 rows, 1,050 people added.");
  expect(running.body).toContain(`href="${path}"`);
  expect(visibleText((await free.request("/owner/import")).body)).toContain("Running: 95% done");
  await killRuns(4);
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

test("what is missing is said next to what was typed, and nothing is stored", async () => {
  const path = await stage("A,B,C\nada@example.com,x,2026-10-05\n");
  const future = `${new Date().getUTCFullYear() + 2}-01-01`;
  const { status, body } = await browser.post(path, {
    ...importSettings,
    "consent-date": future,
    note: "",
    c1: "owner_note",
    c2: "owner_note",
  });
  expect(status).toBe(422);
  expect(body).toContain("No column holds the email addresses");
  expect(body).toContain("Two columns are");
  expect(body).toContain("is in the future");
  expect(body).toContain("Say how these people agreed");
  expect(body).toContain(`value="${future}"`);
  expect(body).toMatch(/<select[^>]* name="c2"[^>]*>.*?<option value="owner_note" selected="">/s);
  expect(await rows("imports")).toMatchObject([{ state: "staged", settings: null }]);
  const noDate = await browser.post(path, { ...importSettings, c0: "email", "consent-date": "" });
  expect(noDate.body).toContain("Say when these people agreed");
  expect((await browser.post(path, { ...importSettings, c0: "email", "consent-date": "", c2: "consent" })).status).toBe(
    303,
  );
});

test("a file that cannot be imported is refused with a sentence, and nothing is stored", async () => {
  const files: [BlobPart, string][] = [
    [new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), "not a CSV file"],
    [new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]), "a spreadsheet, not a CSV file"],
    ['email\n"open\n', "opened in line 2 is never closed"],
    ["email\n", "no rows below it"],
    ["", "The file is empty"],
    [`email\n${`a@b.example${" ".repeat(1_000)}\n`.repeat(27_000)}`, "larger than 25 MB"],
  ];
  for (const [content, message] of files) {
    const { status, body } = await uploadFile(browser, content);
    expect([status, visibleText(body)], message).toEqual([422, expect.stringContaining(message)]);
  }
  expect((await uploadFile(browser, "x", "")).body).toContain("Choose the file again");
  const multipart = "multipart/form-data; boundary=x";
  for (const body of [
    "",
    "--x\r\n",
    '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nemail\na@b.example',
  ]) {
    expect((await postUpload(browser, body, { "Content-Type": multipart })).body, body).toContain(
      "Choose the file again",
    );
  }
  expect((await postUpload(browser, "email", { "Content-Type": "text/csv" })).status).toBe(422);
  expect(await rows("imports")).toEqual([]);
  expect(await rows("import_chunks")).toEqual([]);
  expect(log.filter((line) => line.includes("owner-page-failed"))).toEqual([]);
});

/** A body that counts how much of it was read. */
function countedBody(megabytes: number) {
  const piece = new TextEncoder().encode("x".repeat(4_095).concat("\n").repeat(256));
  const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nemail\n';
  const read = { megabytes: 0 };
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(head)),
    pull(controller) {
      if (read.megabytes === megabytes) controller.close();
      else controller.enqueue(piece);
      read.megabytes += 1;
    },
  });
  return { body, read };
}

test("200 MB are refused without being read", async () => {
  for (const [announced, limit] of [
    [{ "Content-Length": String(200 * MB) }, 4],
    [{}, 30],
  ] as const) {
    const { body, read } = countedBody(200);
    const refused = await postUpload(browser, body, {
      "Content-Type": "multipart/form-data; boundary=x",
      ...announced,
    });
    expect([refused.status, visibleText(refused.body)]).toEqual([422, expect.stringContaining("larger than 25 MB")]);
    expect(read.megabytes).toBeLessThan(limit);
  }
  expect(await rows("imports")).toEqual([]);
});

test("with an expired session, a file is read to its end, so that the browser shows the sign-in page", async () => {
  const { body, read } = countedBody(20);
  await env.DB.exec("DELETE FROM owner_sessions");
  const headers = { "Content-Type": "multipart/form-data; boundary=x", "Content-Length": String(20 * MB) };
  const refused = await postUpload(browser, body, headers);
  expect([refused.status, read.megabytes]).toEqual([403, 21]);
  expect(visibleText(refused.body)).toContain("was not saved");
  expect(await rows("imports")).toEqual([]);
});

test.each([
  ["a file, without a cookie", "/owner/import", {}, 20],
  ["a letter, without a cookie", "/owner/letters", {}, 20],
  ["a file, with a made-up cookie", "/owner/import", { Cookie: "__Host-owner=x; owner=x" }, 20],
  ["a file larger than allowed, with the cookie of an expired session", "/owner/import", null, 26],
  ["a letter larger than allowed, with the cookie of an expired session", "/owner/letters/1", null, 20],
])("%s, is not read", async (_, path, cookie, megabytes) => {
  await env.DB.exec("DELETE FROM owner_sessions");
  const { body, read } = countedBody(megabytes);
  const headers = {
    Origin: env.SITE_URL,
    "Content-Type": "multipart/form-data; boundary=x",
    "Content-Length": String(megabytes * MB),
  };
  const sender = cookie === null ? browser : ownerBrowser();
  const refused = await sender.request(path, { method: "POST", body, headers: { ...headers, ...cookie } });
  expect(refused.status).toBe(403);
  expect(read.megabytes).toBeLessThan(4);
});

test("without a session, or from another site, no file is read", async () => {
  const visitor = ownerBrowser();
  const { body, read } = countedBody(200);
  const refused = await postUpload(visitor, body, { "Content-Type": "multipart/form-data; boundary=x" });
  expect(refused.status).toBe(403);
  expect(read.megabytes).toBeLessThan(4);
  expect((await postUpload(browser, "", { Origin: "https://evil.example" })).status).toBe(403);
  const path = await stage("email\na@example.com\n");
  for (const action of ["check", "confirm", "discard", "stop", "continue"]) {
    expect((await visitor.post(path, { intent: action })).status).toBe(403);
  }
  expect((await visitor.post(`${path}/problems.csv`)).status).toBe(403);
  expect(await rows("imports")).toHaveLength(1);
  // Other forms keep their limit.
  expect((await browser.post("/owner/entries", { search: "x".repeat(5_000) })).status).toBe(403);
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

test("GET changes nothing, and unknown imports and intents neither", async () => {
  const path = await stage("email\na@example.com\n");
  await browser.post(path, { ...importSettings, c0: "email" });
  const before = JSON.stringify([await rows("imports"), await rows("import_chunks")]);
  for (const query of ["", "?intent=confirm", "?change", "?intent=discard"]) {
    expect((await browser.request(path + query)).status).toBe(200);
  }
  expect((await browser.post(path, { intent: "erase" })).status).toBe(400);
  expect((await browser.post(path, { intent: "confirm", checked: "1" })).status).toBe(303);
  expect((await browser.request("/owner/import/999")).status).toBe(404);
  expect((await browser.post("/owner/import/999", { intent: "confirm" })).status).toBe(404);
  expect(JSON.stringify([await rows("imports"), await rows("import_chunks")])).toBe(before);
  expect((await browser.post(path, { intent: "discard" })).headers.get("Location")).toBe("/owner/import");
  expect(await rows("import_chunks")).toEqual([]);
});
