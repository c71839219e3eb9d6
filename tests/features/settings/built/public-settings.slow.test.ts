import { env } from "cloudflare:test";
import { describe, expect, test, vi } from "vitest";
import { pages } from "#app/pages.server.ts";
import type { SettingName } from "#app/server/config/settings.server.ts";
import * as switches from "#app/switches.ts";
import {
  bindingsWith,
  createEntry,
  dataToken,
  emailedLinks,
  postForm,
  read,
  send,
  site,
} from "#tests/support/pool/built.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { signedInBrowser, withCookiesOf } from "#tests/support/pool/owner.ts";
import { execute, freshStorageForEachTest, stopClock } from "#tests/support/pool/start.ts";
import { storeLetter } from "#tests/support/pool/stored-letter.ts";

/* What visitors read, search engines, programs and people on the list, once owners have changed a setting. */

freshStorageForEachTest();

const owner = signedInBrowser();

const NOW = Date.UTC(2031, 4, 1, 12);

function store(settings: Partial<Record<SettingName, string>>): Promise<void> {
  return execute("INSERT OR REPLACE INTO settings VALUES (1, ?, ?)", JSON.stringify(settings), Date.now());
}

const PHOTO = `/pictures/${"0".repeat(32)}-320x320.jpg`;

/** All that is read, by where: each as a new isolate has it. */
async function readEverything(): Promise<[where: string, text: string][]> {
  const entry = `/your-data/${await dataToken(await createEntry("active", "joan@example.com"))}`;
  const addresses = [
    ...pages.map(({ path }) => path),
    ...["/sitemap.xml", "/llms.txt", "/no-such-page"],
    ...ifOn(switches.letters, "/letters/feed.xml"),
  ];
  const texts: [string, string][] = [];
  for (const path of [...addresses, ...(switches.embed ? ["/api/embed"] : [])]) {
    texts.push([path, (await read(path)).body]);
  }
  texts.push(["a person's page", (await read(entry)).body]);
  const { body } = await read("/");
  texts.push(["structured data", /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(body)?.[1] ?? ""]);
  const json = { "Content-Type": "application/json", Origin: env.SITE_URL };
  const answer = await send("/api/signup", { method: "POST", headers: json, body: '{"email":"ada@example.com"}' });
  texts.push(["POST /api/signup", answer.body]);
  texts.push(["a posted form", (await postForm(`${site.SITE_URL}/`, { email: "bob@example.com" })).body]);
  const { text, all, replyTo } = await emailedLinks("grace@example.com");
  texts.push(["welcome email", [replyTo, text, ...all].join("\n")]);
  const current = withCookiesOf(owner, {});
  for (const path of [
    "/owner",
    "/owner/settings",
    ...(switches.letters ? [`/owner/letters/new?start=opening&draft=${"0".repeat(32)}`] : []),
  ]) {
    texts.push([path.replace(/\?.*/, ""), (await current.request(path)).body]);
  }
  return texts;
}

const ifOn = <Item>(isOn: boolean, ...items: Item[]) => (isOn ? items : []);
const allPages = [...pages.map(({ path }) => path), "/no-such-page"];
const opening = ifOn(switches.letters, "/owner/letters/new");

/** What owners set, a text that names it, and where that is read then: nowhere else, and nowhere before. */
const table: { set: Partial<Record<SettingName, string>>; text: string; where: string[] }[] = [
  {
    set: { LAUNCH_DATE: "2031-06-30", LAUNCH_SENTENCE: "We open in June 2031." },
    text: "We open in June 2031.",
    where: [
      ...ifOn(switches.benefits || switches.features, "/", "a posted form"),
      ...ifOn(switches.roadmap, "/roadmap"),
      "/llms.txt",
      "welcome email",
      "/owner/settings",
      ...opening,
    ],
  },
  {
    set: { LAUNCH_DATE: "2031-04-30", LAUNCH_SENTENCE: "We open in April 2031." },
    text: "We open in April 2031.",
    where: [
      ...ifOn(switches.benefits || switches.features, "/", "a posted form"),
      ...ifOn(switches.roadmap, "/roadmap"),
      "/owner/settings",
      ...opening,
    ],
  },
  { set: { LAUNCH_DATE: "2031-04-30" }, text: "The launch date, 30 April 2031, has passed.", where: ["/owner"] },
  {
    set: { LAUNCH_URL: "https://app.example/start" },
    text: "https://app.example/start",
    where: [
      ...allPages,
      "/llms.txt",
      ...ifOn(switches.embed, "/api/embed"),
      "POST /api/signup",
      "a person's page",
      "a posted form",
      "welcome email",
      "/owner/settings",
      ...opening,
    ],
  },
  {
    set: { FOUNDER_NAME: "Ada Stallwright", FOUNDER_NOTE: "Come and see." },
    text: "Ada Stallwright",
    where: [...ifOn(switches.product, "/", "a posted form"), "/owner/settings", ...opening],
  },
  {
    set: { FOUNDER_NAME: "Ada Stallwright", FOUNDER_NOTE: "Come and see.", FOUNDER_PHOTO: PHOTO },
    text: `src="${PHOTO}" alt="Ada Stallwright" width="112" height="112" loading="lazy"`,
    where: ifOn(switches.product, "/", "a posted form"),
  },
  {
    set: { SURVEY_URL: "https://forms.example/s/1" },
    text: "https://forms.example/s/1",
    where: [...ifOn(switches.survey, "/survey"), "/owner/settings"],
  },
  {
    set: { SURVEY_URL: "https://forms.example/s/1" },
    text: "Take the survey",
    where: ifOn(switches.survey && switches.waysToHelp, "/", "a posted form"),
  },
  {
    set: { SUPPORT_URL: "https://coffee.example/ada" },
    text: "https://coffee.example/ada",
    where: [...ifOn(switches.waysToHelp, "/", "a posted form"), "/owner/settings"],
  },
  {
    set: { FACEBOOK_URL: "https://facebook.example/ada" },
    text: "https://facebook.example/ada",
    where: [...allPages, ...ifOn(switches.embed, "/api/embed"), "a person's page", "a posted form", "/owner/settings"],
  },
  {
    set: { CONTACT_EMAIL: "stall@ada.example" },
    text: "stall@ada.example",
    where: [
      ...allPages,
      "/llms.txt",
      ...ifOn(switches.embed, "/api/embed"),
      "a person's page",
      "a posted form",
      "welcome email",
      "/owner",
      "/owner/settings",
      ...opening,
    ],
  },
  {
    set: { CONTROLLER_NAME: "Ada Stallwright Ltd" },
    text: "Ada Stallwright Ltd",
    where: ["/privacy", "welcome email", "/owner/settings"],
  },
  {
    set: { CONTROLLER_ADDRESS: "7 Potters Lane" },
    text: "7 Potters Lane",
    where: ["/privacy", "welcome email", "/owner/settings"],
  },
  {
    set: { REPLY_TO: "replies@ada.example" },
    text: "replies@ada.example",
    where: ["welcome email", "/owner/settings", ...opening],
  },
  { set: { CONFIRM_ADDRESSES: "on" }, text: '"mustConfirm":true', where: ["POST /api/signup"] },
  { set: { OWNER_TIME_ZONE: "Pacific/Auckland" }, text: "Pacific/Auckland", where: ["/owner", "/owner/settings"] },
  { set: { MAIL_PER_HOUR: "7919" }, text: "7919", where: ["/owner/settings"] },
  ...ifOn(switches.referrals, {
    set: { MILESTONES: '[{"friends":3,"reward":"a free stall"}]', CONFIRM_ADDRESSES: "on" },
    text: "a free stall",
    where: ["a person's page", "/owner/settings"],
  }),
  { set: { DISPOSABLE: "refuse" }, text: "Refuse them", where: ["/owner/settings"] },
  { set: { DISPOSABLE_ALLOWED: "post.example" }, text: "post.example", where: ["/owner/settings"] },
];

test("every setting that a form changes is in the table", async () => {
  const inTable = new Set(table.flatMap(({ set }) => Object.keys(set)));
  const { body } = await owner.request("/owner/settings");
  const forms = Array.from(body.matchAll(/href="(\/owner\/settings\/[\w-]+)"/g), ([, path = ""]) => path);
  const names: string[] = [];
  for (const path of forms.filter((path) => !/owners|notifications|questions|rewards/.test(path))) {
    const form = /<form class="form narrow".*?<\/form>/s.exec((await owner.request(path)).body)?.[0] ?? "";
    for (const [, name = ""] of form.matchAll(/<(?:input|select|textarea)[^>]* name="([\w-]+)"/g)) names.push(name);
  }
  const settings = names
    .filter((name) => !["version", "form", "founder-photo-file"].includes(name))
    .map((name) => name.toUpperCase().replaceAll("-", "_"));
  expect(settings.length).toBeGreaterThan(10);
  expect(settings.filter((name) => !inTable.has(name))).toEqual([]);
});

describe("what owners set is read", () => {
  test.each(table.map((row) => ({ ...row, name: Object.keys(row.set).join(", ") })))(
    "where it belongs: $name as “$text”",
    async ({ set, text, where }) => {
      stopClock(NOW);
      await owner.signIn();
      const placesOf = async () =>
        (await readEverything()).flatMap(([place, content]) => (content.includes(text) ? [place] : []));
      expect(await placesOf()).toEqual([]);
      await store(set);
      await execute("DELETE FROM waitlist_emails");
      expect((await placesOf()).toSorted()).toEqual(where.toSorted());
    },
  );

  test("on every page within a minute, also by an isolate that has them cached", async () => {
    stopClock(NOW);
    const url = "https://facebook.example/ada";
    const VERSION = { ...env.VERSION, id: "cached-settings" };
    const meter = meteredD1();
    const bindings = bindingsWith({ RENDER_CACHE: "on", VERSION, DB: meter.d1 });
    const isolate = async (path: string) => (await send(path, {}, bindings)).body;
    const [first = "/", ...others] = pages.map(({ path }) => path);
    expect(await isolate(first)).not.toContain(url);
    await store({ FACEBOOK_URL: url });
    vi.setSystemTime(NOW + 19_000);
    for (const path of others) expect(await isolate(path), path).not.toContain(url);
    // The isolate has read the change by now, but shows what it has cached.
    vi.setSystemTime(NOW + 59_999);
    meter.reset();
    for (const path of others) expect(await isolate(path), path).not.toContain(url);
    expect(meter.executed).toEqual([]);
    vi.setSystemTime(NOW + 60_000);
    for (const path of [first, ...others]) expect(await isolate(path), path).toContain(url);
  });
});

test.skipIf(!switches.letters)("the founder signs the letters that anyone can read, with the photograph", async () => {
  const path = `/letters/${await storeLetter({ is_public: true, started_at: NOW })}`;
  const photo = `<img src="${PHOTO}" alt=""`;
  expect((await read(path)).body).not.toContain(photo);
  await store({ FOUNDER_NAME: "Ada Stallwright", FOUNDER_NOTE: "Come and see.", FOUNDER_PHOTO: PHOTO });
  const { body } = await read(path);
  expect(/<div class="letter-signature">.*?<\/div>/s.exec(body)?.[0]).toMatch(
    new RegExp(`${photo}.*<strong>Ada Stallwright</strong>`, "s"),
  );
});

describe("the survey", () => {
  test.skipIf(!switches.survey)("has its frame in the policy of its page, at once", async () => {
    await store({ SURVEY_URL: "https://forms.example/s/1" });
    const { headers, body } = await read("/survey");
    expect(headers.get("Content-Security-Policy")).toContain("frame-src https://forms.example");
    expect(body).toContain('src="https://forms.example/s/1');
  });
});

describe("the numbers of hosts and stallholders on the landing page", () => {
  const role = { key: "role", label: "Role", wording: "What do you do?" };
  const sides = { host: "I run events", stallholder: "I sell" };

  test.skipIf(!switches.product || !switches.pioneerCount).each([
    ["are there while the question asks for both", [{ ...role, answers: { ...sides, baker: "I bake" } }], true],
    ["go with the question", [{ key: "town", label: "Town", wording: "Where do you live?" }], false],
    ["go when it is answered in words", [role], false],
    ["go when it has other answers", [{ ...role, answers: { host: "I run events", baker: "I bake" } }], false],
  ])("%s", async (_, questions, areShown) => {
    await execute("INSERT INTO stats VALUES ('pioneers', ?, 0)", '{"count":100,"host":20,"stallholder":60}');
    await store({ QUESTIONS: JSON.stringify(questions) });
    const { text } = await read("/");
    expect(text).toContain("100+");
    expect(/including 20\+ \S+ and 60\+/.test(text)).toBe(areShown);
  });
});
