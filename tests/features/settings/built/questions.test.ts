import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { questions as questionsOfCode } from "#app/site.ts";
import * as switches from "#app/switches.ts";
import { answerTokenOf } from "#tests/support/pool/answer-token.ts";
import { dataToken, visibleText } from "#tests/support/pool/built.ts";
import { loggedActions, OWNER, problemsOf, signedInBrowser } from "#tests/support/pool/owner.ts";
import { execute, freshStorageForEachTest, join, rows, storedAnswers } from "#tests/support/pool/start.ts";

/* Owners change the questions on a page: what is asked, stored, logged and refused, and what still comes in. */

freshStorageForEachTest();

const PATH = "/owner/settings/questions";
const browser = signedInBrowser();
const page = async (path: string) => visibleText((await browser.request(path)).body);
const stored = async () => JSON.parse(String((await rows("settings"))[0]?.["stored"] ?? "{}"));
const asked = async () => JSON.parse((await stored()).QUESTIONS ?? "[]").filter((one: object) => !("retired" in one));

const town = { key: "town", label: "Town", wording: "Which town are you in?" };
const tent = { key: "tent", label: "Tent", wording: "A tent?", answers: { yes: "Yes", no: "No", no_idea: "No idea" } };
const townAndTent = [
  ["town.label", "Town"],
  ["town.wording", "Which town are you in?"],
  ["tent.label", "Tent"],
  ["tent.wording", "A tent?"],
  ["tent.answer.yes", "Yes"],
  ["tent.answer.no", "No"],
  ["tent.answer.no_idea", "No idea"],
] as const;

/** Stores these two questions, as the page does. */
async function askTownAndTent(more: object[] = []): Promise<void> {
  const text = JSON.stringify({ QUESTIONS: JSON.stringify([town, tent, ...more]) });
  await execute("INSERT OR REPLACE INTO settings (id, stored, saved_at) VALUES (1, ?, 1)", text);
}

/** Presses a button of the form about these two, some of whose fields were changed. */
function press(intent: string, changed: Record<string, string> = {}) {
  return browser.post(PATH, { ...Object.fromEntries(townAndTent), ...changed, intent });
}

async function answer(id: number, answers: object): Promise<number> {
  const response = await browser.request("/api/answers", {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: env.SITE_URL },
    body: JSON.stringify({ answerToken: await answerTokenOf(id), answers }),
  });
  return response.status;
}

test("a first name is asked for at one press, and everything that names the questions names it", async () => {
  const fields = questionsOfCode.flatMap(({ key, label, wording, answers = {} }) => [
    [`${key}.label`, label],
    [`${key}.wording`, wording],
    ...Object.entries(answers).map(([name, words]) => [`${key}.answer.${name}`, words]),
  ]);
  const saved = await browser.post(PATH, { ...Object.fromEntries(fields), intent: "first-name" });
  expect(saved.headers.get("Location")).toBe(`${PATH}?done=settings-saved`);
  const firstName = { key: "first_name", label: "First name", wording: "What should we call you?" };
  expect(await asked()).toEqual([...questionsOfCode, firstName]);
  const details = { setting: "Question “First name”", from: "Not asked", to: `First name: ${firstName.wording}` };
  expect(await loggedActions()).toEqual([["change-setting", details]]);
  expect(await page("/owner/settings")).toContain("First name What should we call you?");

  const joined = await browser.request("/api/signup", {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: env.SITE_URL },
    body: JSON.stringify({ email: "ada@example.com", source: "landing_page" }),
  });
  expect(JSON.parse(joined.body).questions).toContainEqual(firstName);
  expect(await answer(1, { first_name: "Ada" })).toBe(200);
  expect(await storedAnswers()).toEqual([{ first_name: "Ada" }]);
  expect(await page(`/your-data/${await dataToken(1)}`)).toContain("What should we call you?");
  expect(await page("/owner/entries")).toContain("First name");
  expect(await page("/owner/entries?answer_first_name=Ada")).toContain("ada@example.com");
  expect(await page("/owner/entries/1")).toMatch(/First name\s+Ada/);
  expect(await page("/owner/entries/new")).toContain("First name");
  const { body: csv } = await browser.post("/owner/export.csv", { format: "csv" });
  expect(csv).toMatch(/answer_first_name.*\r?\n.*Ada/);
  expect(await page("/privacy")).toContain("“What should we call you?”");
  if (switches.fair) expect(await page("/fair")).toContain("What should we call you?");
  if (switches.letters)
    expect((await browser.request("/owner/letters/new?draft=0123456789abcdef0123456789abcdef")).body).toContain(
      "{{first_name|there}}",
    );
  if (switches.api) {
    const { body } = await browser.request("/api/v1/openapi.json");
    const { components, paths } = JSON.parse(body);
    expect(components.schemas.NewEntry.properties.answers.properties).toHaveProperty("first_name");
    expect(JSON.stringify(paths["/entries"].get.parameters)).toContain('"answer_first_name"');
    expect(await page("/api/v1")).toContain("answer_first_name");
  }
});

test("questions are reworded and moved, answers are added and reworded, and keys stay", async () => {
  await askTownAndTent();
  await press("save", { "town.wording": "Where do you live?", "tent.answer.no": "None", "tent.more": "Two of them" });
  const answers = { yes: "Yes", no: "None", no_idea: "No idea", two_of_them: "Two of them" };
  expect(await asked()).toEqual([
    { ...town, wording: "Where do you live?" },
    { ...tent, answers },
  ]);
  const moved = await press("up:tent");
  expect(moved.headers.get("Location")).toBe(`${PATH}?done=settings-saved#question-tent`);
  expect((await asked()).map(({ key }: { key: string }) => key)).toEqual(["tent", "town"]);
  expect(await loggedActions()).toContainEqual([
    "change-setting",
    { setting: "Order of questions", from: "Town, Tent", to: "Tent, Town" },
  ]);
});

test("a question is added with what is typed, whichever button is pressed, and its key is new", async () => {
  await askTownAndTent([{ key: "craft", label: "Craft", wording: "Which?", retired: true }]);
  const added = {
    "add-label": "Craft",
    "add-wording": "What do you make?",
    "add-answers": "Pots\n\n10 % cloth\nPôts ",
  };
  await press("down:town", added);
  expect((await asked()).map(({ key }: { key: string }) => key)).toEqual(["tent", "town", "craft_2"]);
  const [, , craft] = await asked();
  expect(craft.answers).toEqual({ pots: "Pots", answer_10_cloth: "10 % cloth", pots_2: "Pôts" });
});

test("what is no longer asked or offered is kept, comes in from forms that were loaded before, and can be asked again", async () => {
  await askTownAndTent();
  const id = await join("ada@example.com");
  expect(await answer(id, { town: "York", tent: "no_idea" })).toBe(200);
  await press("retire:town", { "tent.answer.no_idea": "" });
  expect(await asked()).toEqual([
    { ...tent, answers: { yes: "Yes", no: "No" }, retiredAnswers: { no_idea: "No idea" } },
  ]);
  expect(await page(`/your-data/${await dataToken(id)}`)).not.toContain("Which town");
  expect(await page(`/owner/entries/${id}`)).toContain("earlier questions Town: York; Tent: No idea");

  expect(await answer(id, { town: "Leeds" })).toBe(200);
  expect(await answer(id, { tent: "no" })).toBe(200);
  expect(await answer(id, { tent: "no_idea" })).toBe(200);
  expect(await storedAnswers()).toEqual([{ town: "Leeds", tent: "no_idea" }]);
  expect(await answer(id, { never: "asked" })).toBe(422);
  expect(await page("/privacy")).toContain("your answers to questions that we no longer ask");

  const fields = Object.fromEntries(townAndTent.filter(([name]) => !/^town|no_idea/.test(name)));
  await browser.post(PATH, { ...fields, "tent.more": "no idea", intent: "back:town" });
  expect(await asked()).toEqual([{ ...tent, answers: { ...tent.answers, no_idea: "no idea" } }, town]);
  expect(await page(`/owner/entries/${id}`)).toMatch(/Town\s+Leeds/);
});

test.each([
  [{ "town.wording": " " }, { "town-wording": "This is needed." }],
  [{ "town.label": "x".repeat(41) }, { "town-label": "This must have at most 40 characters." }],
  [
    { "tent.answer.no": "", "tent.answer.no_idea": "" },
    { "tent-more": "A question with answers to choose from needs at least two of them." },
  ],
  [{ "tent.more": "YES" }, { "tent-more": "Two answers are the same." }],
  [{ "add-wording": "Which?" }, { "add-label": "This is needed." }],
  [
    { "add-label": "Sixth", "add-wording": "Which?", "add-answers": "One" },
    { "add-answers": "A question with answers to choose from needs at least two of them." },
  ],
])("%o is refused beside its field, and nothing is stored", async (changed, problems) => {
  await askTownAndTent();
  const before = await rows("settings");
  const refused = await press("save", changed);
  expect(refused.status).toBe(422);
  expect(problemsOf(refused.body)).toEqual(problems);
  for (const typed of Object.values(changed)) expect(refused.body).toContain(typed.trim());
  expect(await rows("settings")).toEqual(before);
});

test("there are no more than five", async () => {
  const more = ["a", "b", "c"].map((key) => ({ key, label: key, wording: key }));
  await askTownAndTent([...more, { key: "craft", label: "Craft", wording: "Which?", retired: true }]);
  const fields = Object.fromEntries(
    more.flatMap(({ key }) => [
      [`${key}.label`, key],
      [`${key}.wording`, key],
    ]),
  );
  const refused = await press("back:craft", fields);
  expect(refused.status).toBe(422);
  expect(visibleText(refused.body)).toContain("There are 6 questions, but at most 5.");
  expect(visibleText((await browser.request(PATH)).body)).toContain("which is the most");
});

test("the questions of the code come back, and what was asked stays known", async () => {
  await askTownAndTent();
  const id = await join("ada@example.com");
  const back = await browser.post(PATH, { intent: "code" });
  expect(back.headers.get("Location")).toBe(`${PATH}?done=settings-saved`);
  expect(await stored()).toEqual({ FORMER_QUESTIONS: JSON.stringify([town, tent]) });
  const gone = { setting: "Question “Town”", from: "Town: Which town are you in?", to: "Not asked" };
  expect(await loggedActions()).toContainEqual(["change-setting", gone]);
  expect((await browser.post(PATH, { intent: "code" })).headers.get("Location")).toContain("unchanged");
  const shown = await page(PATH);
  for (const { label } of questionsOfCode) expect(shown).toContain(label);
  expect(shown).toContain("Town: Which town are you in?");
  expect(await answer(id, { town: "York", tent: "yes" })).toBe(200);
  // A new question does not get the key of an earlier one.
  const fields = Object.fromEntries(
    questionsOfCode.flatMap(({ key, label, wording, answers = {} }) => [
      [`${key}.label`, label],
      [`${key}.wording`, wording],
      ...Object.entries(answers).map(([name, words]) => [`${key}.answer.${name}`, words]),
    ]),
  );
  await browser.post(PATH, { ...fields, "add-label": "Town", "add-wording": "Which?", intent: "save" });
  expect((await asked()).at(-1)).toEqual({ key: "town_2", label: "Town", wording: "Which?" });
});

test("two owners at once: the second is shown both texts, and an earlier version comes back", async () => {
  await askTownAndTent();
  const { body } = await browser.request(PATH);
  const versionIn = (html: string) => /name="version" value="([^"]+)"/.exec(html)?.[1] ?? "none";
  await press("save", { "town.wording": "Where do you live?" });
  const refused = await press("save", { "town.wording": "Where are you?", version: versionIn(body), form: "other" });
  expect(refused.status).toBe(409);
  expect(visibleText(refused.body)).toContain(`${OWNER} saved another text`);
  expect(refused.body).toContain('value="Where are you?"');
  expect((await asked())[0].wording).toBe("Where do you live?");

  await press("save", { "town.wording": "Where are you?", version: versionIn(refused.body), form: "other" });
  const versions = await rows<{ id: number; fields: string }>("saved_versions");
  const first = versions.find(({ fields }) => fields.includes("Which town"));
  const { body: old } = await browser.request(`/owner/versions/${first?.id}`);
  const hidden = Array.from(old.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g), ([, n, v]) => [n, v]);
  await browser.post(PATH, { ...Object.fromEntries(hidden), intent: "save" });
  expect(await asked()).toEqual([town, tent]);
});

test.skipIf(!switches.letters)("a question says how many texts greet by its answer", async () => {
  await askTownAndTent();
  await browser.post("/owner/letters", { subject: "Hello {{town | there}}", body: "Hello {{town|there}}." });
  await browser.post("/owner/letters", { subject: "News", body: "Hello {{town|there}}." });
  expect(await page(PATH)).toContain("2 texts greet people with the answer.");
  await press("retire:town");
  // What was written before can still be sent.
  expect(await page("/owner/letters/1/preview")).not.toContain("does not match a question");
});
