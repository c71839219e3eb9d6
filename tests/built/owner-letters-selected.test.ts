import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { questions } from "#app/site.ts";
import { answerField } from "#app/waitlist/questions/answers.ts";
import { visibleText } from "#tests/support/pool/built-page.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { join } from "#tests/support/pool/join.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { needs } from "#tests/support/pool/needs.ts";
import { OWNER, signedInBrowser } from "#tests/support/pool/owner.ts";

needs("letters");
freshStorageForEachTest();
captureLog();

const browser = signedInBrowser();

const selected = "/owner/entries/select?source=stall";
const invite = "/owner/letters/invite?source=stall";

interface Letter {
  id: number;
  state: string;
  audience: string;
  is_invitation: number;
}

async function draft(): Promise<void> {
  const { body } = await browser.request(selected);
  const newest = /name="newest" value="(\d+)"/.exec(body)?.[1] ?? "";
  const { status, headers } = await browser.post(invite, { newest });
  expect([status, headers.get("Location")]).toEqual([303, "/owner/letters/1?done=invitation"]);
}

const audience = "/owner/letters/1/audience";
const people = async () => /<strong>([\d,]+)<\/strong>/.exec((await browser.request(audience)).body)?.[1];

/** The fields of the audience's form as a browser would send them. */
async function fields(): Promise<Record<string, string>> {
  const { body } = await browser.request(audience);
  const [form = ""] = /<form class="form form-wide".*?<\/form>/s.exec(body) ?? [];
  const inputs = Array.from(form.matchAll(/<input[^>]*name="([^"]*)"[^>]*value="([^"]*)"[^>]*>/g));
  const checked = inputs.filter(([input]) => !input.includes("checkbox") || input.includes("checked"));
  const selects = Array.from(form.matchAll(/<select[^>]*name="([^"]*)".*?<option[^>]*value="([^"]*)"[^>]*selected/gs));
  return Object.fromEntries([...checked, ...selects].map(([, name = "", value = ""]) => [name, value]));
}

test("an invitation is drafted for the people who are selected, and for no one who joins later", async () => {
  for (const name of ["ada", "bob"]) await join(`${name}@example.com`, { source: "stall" });
  await join("cyd@example.com", { source: "stall", mustConfirm: true });
  await join("dan@example.com");
  expect(visibleText((await browser.request(selected)).body)).toContain("for the 2 of them who may get email");
  await draft();
  expect(await rows<Letter>("letters")).toMatchObject([
    { state: "draft", audience: '{"filter":{"source":"stall"},"newestEntry":4}', is_invitation: 1 },
  ]);
  expect(await rows("owner_log")).toMatchObject([
    { action: "sign-in" },
    { action: "create-letter", actor: OWNER, details: '{"letterId":1}' },
  ]);
  await join("late@example.com", { source: "stall" });
  expect(await people()).toBe("2");
  // Saving the audience as it is shown keeps the bound; unticking it takes it away.
  const given = await fields();
  expect(given).toMatchObject({ source: "stall", newest: "4", invitation: "yes" });
  await browser.post(audience, given);
  expect(await people()).toBe("2");
  const { newest: _, ...others } = given;
  await browser.post(audience, others);
  expect(await people()).toBe("3");
});

test("filters that only the list has stay in the letter when its audience is saved", async () => {
  const day = "from=2020-01-01&from_time=10%3A00&email=waiting";
  await join("ada@example.com", { source: "stall" });
  await browser.post(`${invite}&${day}`, { newest: "1" });
  const filter = { source: "stall", email: { state: "waiting" }, from: "2020-01-01", from_time: "10:00" };
  await browser.post(audience, await fields());
  const [{ audience: stored } = { audience: "{}" }] = await rows<Letter>("letters");
  expect(JSON.parse(stored).filter).toEqual(filter);
});

test("a search, an ended search, a wrong filter and people who get no email make no letter", async () => {
  await join("ada@example.com", { source: "stall" });
  const { headers } = await browser.post("/owner/entries?source=stall", { search: "ada" });
  const query = new URL(headers.get("Location") ?? "", env.SITE_URL).search;
  const searched = (await browser.request(`/owner/entries/select${query}`)).body;
  expect(visibleText(searched)).toContain("A letter cannot be addressed by a search");
  expect(searched).not.toContain("/owner/letters/invite");
  for (const refused of [query, "?source=stall&search=0123abcd", "?status=activ", "?status=unsubscribed"]) {
    const response = await browser.post(`/owner/letters/invite${refused}`, { newest: "1" });
    expect([response.status, response.headers.get("Location")]).toEqual([
      303,
      expect.stringMatching(/^\/owner\/entries\/select/),
    ]);
  }
  await browser.post(invite);
  expect(await rows("letters")).toEqual([]);
});

test("the audience offers saved views, fills itself with one, and says what letters cannot use", async () => {
  await join("ada@example.com", { source: "stall" });
  await browser.post("/owner/letters", { subject: "News", body: "Hello" });
  expect((await browser.request(audience)).body).not.toContain("Use a saved view");
  await browser.post("/owner/entries/views?source=stall&status=active", { name: "Stall" });
  await browser.post("/owner/entries/views?source=stall&status=unsubscribed", { name: "Left" });
  const { body } = await browser.request(`${audience}?view=1`);
  expect(visibleText(body)).toContain("The choices below are those of the view “Stall”. They are not saved yet.");
  expect(visibleText(body)).not.toContain("Left out");
  expect(body).toMatch(/<option[^>]*value="stall"[^>]*selected/);
  expect((await rows<Letter>("letters"))[0]?.audience).toBe('{"filter":{}}');
  const left = visibleText((await browser.request(`${audience}?view=2`)).body);
  expect(left).toContain("Left out, because it does not work for letters: Status: Unsubscribed.");
  expect((await browser.request(`${audience}?view=9`)).status).toBe(200);
});

test.skipIf(questions[0]?.answers === undefined)("a view with several answers fills all of them in", async () => {
  const [question] = questions;
  const [first = "", second = ""] = Object.keys(question?.answers ?? {});
  const field = question === undefined ? "" : answerField(question);
  await browser.post("/owner/letters", { subject: "News", body: "Hello" });
  await browser.post(`/owner/entries/views?${field}=${first}&${field}=${second}`, { name: "Two" });
  const { body } = await browser.request(`${audience}?view=1`);
  const ticked = Array.from(body.matchAll(/<input type="checkbox" name="answer_\w+" checked="" value="(\w+)"/g));
  expect(visibleText(body)).not.toContain("Left out");
  expect(ticked.map(([, value]) => value)).toEqual([first, second]);
});
