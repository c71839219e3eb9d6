import { expect, test } from "vitest";
import { launchSentence, site as product } from "#app/site.ts";
import { embed, roadmap } from "#app/switches.ts";
import {
  confirmToken,
  createEntry,
  dataToken,
  emailedLinks,
  escaped,
  postForm,
  read,
  request,
  site,
  unsubscribeToken,
} from "#tests/support/pool/built.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/start.ts";

freshStorageForEachTest();

const LAUNCH_URL = "https://app.market.example/welcome";
const launched = { LAUNCH_URL };

/** What only invites people to join, or says that the launch is ahead. */
const outdated = new RegExp(
  `join waitlist|join the waitlist|aiming to launch|not open yet|${launchSentence ?? "launch in"}`,
  "i",
);

test("the landing page has links to the product instead of forms, and no word of a launch ahead", async () => {
  const { status, body } = await read("/", launched);
  expect(status).toBe(200);
  expect(body).not.toContain('name="email"');
  expect(body).toMatch(new RegExp(`<header.*href="${LAUNCH_URL}".*</header>`, "s"));
  expect(body).toMatch(new RegExp(`id="join"[^>]*>.*?href="${LAUNCH_URL}"`, "s"));
  expect(body).not.toMatch(outdated);
});

test("its descriptions for search engines and shared links, and the structured data, do not invite to join", async () => {
  const { body } = await read("/", launched);
  const described = ['name="description', 'property="og:description'].map(
    (name) => new RegExp(`<meta ${name}" content="([^"]*)"`).exec(body)?.[1] ?? "none",
  );
  const structured = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(body)?.[1] ?? "";
  expect(JSON.stringify(JSON.parse(structured))).toContain(product.name);
  for (const text of described) expect(text).toContain(escaped(product.name));
  for (const text of [...described, structured]) expect(text).not.toMatch(/waitlist/i);
});

test("no other page invites to join either", async () => {
  for (const path of ["/survey", "/roadmap", "/no-such-page", "/llms.txt"]) {
    const { body } = await read(path, launched);
    expect(body, path).not.toMatch(outdated);
    expect(body, path).toContain(LAUNCH_URL);
  }
});

test.skipIf(!roadmap)("the roadmap's last milestone is complete, and was not before", async () => {
  const statuses = async (vars?: object) => {
    const { body } = await read("/roadmap", vars);
    return Array.from(body.matchAll(/<li class="timeline-item" data-status="(\w+)"/g), ([, status]) => status);
  };
  const before = await statuses();
  expect(before.at(-1)).not.toBe("completed");
  expect(await statuses(launched)).toEqual([...before.slice(0, -1), "completed"]);
});

test("a form posted after the launch gets 410 and the page with the link; nothing is stored", async () => {
  const { status, body } = await postForm(`${site.SITE_URL}/`, { email: "ada@example.com" }, launched);
  expect(status).toBe(410);
  expect(body).toMatch(new RegExp(`id="join"[^>]*>.*?href="${LAUNCH_URL}"`, "s"));
  expect(await rows("waitlist_emails")).toEqual([]);
});

test("the welcome email of someone who joined before goes out, and links to the product", async () => {
  const { all, text } = await emailedLinks("ada@example.com", launched);
  expect(all).toContain(LAUNCH_URL);
  expect(text).not.toMatch(outdated);
});

test("confirmation, rejoining, unsubscribing and the page about one's data still work", async () => {
  const unconfirmed = await createEntry("unconfirmed", "grace@example.com");
  const active = await createEntry("active", "ada@example.com");
  const left = await createEntry("unsubscribed", "joan@example.com");
  const post = async (path: string, fields: Record<string, string> = {}) => {
    return (await postForm(site.SITE_URL + path, fields, launched)).status;
  };
  expect(await post(`/confirm/${await confirmToken(unconfirmed)}`)).toBe(303);
  expect(await post(`/unsubscribe/${await unsubscribeToken(active)}`, { intent: "unsubscribe" })).toBe(303);
  expect(await post(`/your-data/${await dataToken(left)}`, { intent: "rejoin" })).toBe(303);
  expect((await request(`${site.SITE_URL}/your-data/${await dataToken(left)}`, {}, launched)).status).toBe(200);
  expect(await rows("waitlist_emails")).toMatchObject([
    { status: "active", confirmed_at: expect.any(Number) },
    { status: "unsubscribed" },
    { status: "active" },
  ]);
});

test("the header of pages for people who have joined has no button to join, but one to the product", async () => {
  const id = await createEntry("active", "ada@example.com");
  const unconfirmed = await createEntry("unconfirmed", "grace@example.com");
  for (const path of [
    `/your-data/${await dataToken(id)}`,
    `/unsubscribe/${await unsubscribeToken(id)}`,
    `/confirm/${await confirmToken(unconfirmed)}`,
    ...(embed ? ["/api/embed"] : []),
  ]) {
    const header = async (overrides: object) => /<header.*<\/header>/s.exec((await read(path, overrides)).body)?.[0];
    expect(await header({}), path).not.toContain("Join Waitlist");
    expect(await header(launched), path).toContain(LAUNCH_URL);
  }
  expect((await read("/")).body).toMatch(/<header.*Join Waitlist.*<\/header>/s);
});
