import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { answerGroups } from "#app/site.ts";
import { answerField } from "#app/waitlist/questions/answers.ts";
import { mainQuestion } from "#app/waitlist/questions/questions.server.ts";
import { visibleText } from "#tests/support/pool/built-page.ts";
import { freshStorageForEachTest } from "#tests/support/pool/database.ts";
import { join } from "#tests/support/pool/join.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { listedAddresses, ownerBrowser, signedInBrowser } from "#tests/support/pool/owner.ts";
import { answersTo } from "#tests/support/site-answers.ts";

freshStorageForEachTest();
captureLog();

const browser = signedInBrowser({ CONFIRM_ADDRESSES: "off" });
const question = mainQuestion;
const groups = Object.entries(question?.answers ?? {}).map(
  ([answer, text]) => answerGroups[question?.key ?? ""]?.[answer] ?? text,
);

async function parts(path: string, by = browser) {
  const { body } = await by.request(path);
  const [nav = ""] = /<nav[^>]*aria-label="Parts of the list">.*?<\/nav>/s.exec(body) ?? [];
  const links = Array.from(nav.matchAll(/<a href="([^"]*)"( aria-current="page")?>([^<]*)/g));
  const text = (words = "") => words.replaceAll("&#x27;", "'").replaceAll("&amp;", "&");
  return {
    body,
    texts: links.map(([, , , words]) => text(words)),
    hrefs: Object.fromEntries(links.map(([, href, , words]) => [text(words), text(href)])),
    current: links.filter(([, , current]) => current).map(([, , , words]) => text(words)),
  };
}

test("the parts of the list are all, the answers to the main question, and by invitation; one of them is current", async () => {
  const { texts, current } = await parts("/owner/entries");
  expect(texts).toEqual(["All", ...groups, "Invited", "Not invited"]);
  expect(current).toEqual(["All"]);
  for (const [name, query] of [
    ["Invited", "invited=yes"],
    ["Not invited", "invited=no"],
  ] as const) {
    const { hrefs } = await parts("/owner/entries?source=stall&status=active&order=oldest&after=3");
    expect(hrefs[name]).toBe(`/owner/entries?status=active&source=stall&${query}&order=oldest`);
    expect((await parts(hrefs[name] ?? "")).current).toEqual([name]);
  }
  // Two of them at once are none of them.
  expect((await parts("/owner/entries?invited=yes&status=unconfirmed")).current).toEqual([]);
});

test("Unconfirmed is a part where people have to confirm, or where someone has yet to", async () => {
  await join("old@example.com");
  expect((await parts("/owner/entries")).texts).not.toContain("Unconfirmed");
  await join("ada@example.com", { mustConfirm: true });
  const { texts, hrefs } = await parts("/owner/entries?status=active&source=landing_page");
  expect(texts).toContain("Unconfirmed");
  expect(hrefs["Unconfirmed"]).toBe("/owner/entries?status=unconfirmed&source=landing_page");
  const found = await parts(hrefs["Unconfirmed"] ?? "");
  expect([listedAddresses(found.body), found.current]).toEqual([["ada@example.com"], ["Unconfirmed"]]);
  expect(found.hrefs["Not invited"]).toBe("/owner/entries?source=landing_page&invited=no");
  await env.DB.exec("UPDATE waitlist_emails SET confirmed_at = 1");
  expect((await parts("/owner/entries")).texts).not.toContain("Unconfirmed");
  const asking = ownerBrowser({ CONFIRM_ADDRESSES: "on" });
  for (const [name, value] of browser.cookies) asking.cookies.set(name, value);
  expect((await parts("/owner/entries", asking)).texts).toContain("Unconfirmed");
});

test("Active are those who may get email, on the list, in its filter, on the entry's page and in the export", async () => {
  await join("ada@example.com");
  await join("bob@example.com", { mustConfirm: true });
  const list = async (status: string) =>
    listedAddresses((await browser.request(`/owner/entries?status=${status}`)).body);
  expect(await list("active")).toEqual(["ada@example.com"]);
  expect(await list("unconfirmed")).toEqual(["bob@example.com"]);
  const shown = visibleText((await browser.request("/owner/entries/2")).body);
  expect(shown).toMatch(/Status Unconfirmed/);
  const file = await browser.post("/owner/export.csv", { format: "csv", people: "all" });
  const statuses = file.body.split("\r\n").map((line) => line.split(",")[2]);
  expect(statuses.slice(0, 3)).toEqual(['"status"', '"active"', '"unconfirmed"']);
});

test.skipIf(question === undefined)("the answer to the main question is a column", async () => {
  if (question === undefined) return;
  const [answer] = answersTo(question);
  await join("ada@example.com");
  await env.DB.prepare("UPDATE waitlist_emails SET answers = ?")
    .bind(JSON.stringify({ [question.key]: answer }))
    .run();
  const { body } = await browser.request("/owner/entries");
  const columns = Array.from(body.matchAll(/<th scope="col"[^>]*>([^<]*)/g), ([, name]) => name);
  expect(columns).toEqual(["Address", "Joined", "Status", question.label, "Source", "Campaign"]);
  const cell = new RegExp(`<td class="words" data-label="${question.label}">([^<]*)`).exec(body)?.[1];
  expect(cell).toBe(question.answers?.[answer] ?? answer);
  if (question.answers === undefined) return;
  const chosen = await parts(`/owner/entries?${answerField(question)}=${answer}`);
  expect(chosen.current).toEqual([groups[0]]);
  expect(listedAddresses(chosen.body)).toEqual(["ada@example.com"]);
});
