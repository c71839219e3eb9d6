import { env } from "cloudflare:test";
import { describe, expect, test, vi } from "vitest";
import * as switches from "#app/switches.ts";
import { consentText, newsOnly, WORDING_FIELD, withFollowUps } from "#app/waitlist/sign-up/consent-wording.ts";
import { dataToken, escaped, post, read, visibleText } from "#tests/support/pool/built.ts";
import { brokenD1 } from "#tests/support/pool/d1.ts";
import { signedIn } from "#tests/support/pool/owner.ts";
import { freshStorageForEachTest, join, rows, stopClock } from "#tests/support/pool/start.ts";

/* What people are promised when they join, and what is on record about it. */

freshStorageForEachTest();

const own = { Origin: env.SITE_URL };
const versions = async () =>
  (await rows<{ consent_version: string | null }>("waitlist_emails")).map(({ consent_version }) => consent_version);

/** Has a follow-up, on or off. */
const followUp = (isOn: boolean) =>
  env.DB.exec(
    `INSERT OR REPLACE INTO series_steps (id, days, hour, subject, preview_line, body, letter_id, created_at,
    updated_at) VALUES (1, 1, 9, 'Hello', '', 'Hello', ${isOn ? 1 : "NULL"}, 0, 0)`.replaceAll("\n", " "),
  );

/** The pages where people read what they agree to, with someone who has left. */
async function places(): Promise<string[]> {
  await join("left@example.com");
  await env.DB.exec("UPDATE waitlist_emails SET status = 'unsubscribed', consent_version = NULL");
  const paths = ["/", "/privacy", `/your-data/${await dataToken(1)}`, "/api/signup/wording"];
  return [...paths, ...(switches.embed ? ["/api/embed"] : []), ...(switches.fair ? ["/fair"] : [])];
}

/** The versions that a page's forms send or store. */
const stated = (body: string) =>
  Array.from(body.matchAll(/(?:name="wording" value|data-consent)="([^"]+)"/g), ([, version]) => version);

describe("what forms and policy promise", () => {
  test("names follow-ups while one is switched on, and only then, with the version of what they show", async () => {
    const paths = await places();
    const owner = await signedIn({});
    for (const [isOn, shown, other] of [
      [false, newsOnly, withFollowUps],
      [true, withFollowUps, newsOnly],
    ] as const) {
      await followUp(isOn);
      const can = switches.letters && switches.series;
      const [expected, absent] = can ? [shown, other] : [newsOnly, withFollowUps];
      for (const path of paths) {
        const { body } = await read(path);
        expect(body, path).toContain(escaped(expected.text));
        expect(body, path).not.toContain(escaped(absent.text));
        expect(new Set(stated(body)).difference(new Set([expected.version])), path).toEqual(new Set());
      }
      const toCopy = (await owner.request("/owner/embed")).body;
      if (switches.embed) expect(toCopy).toContain(escaped(`name="wording" value="${expected.version}"`));
      expect((await read("/privacy")).text.includes("five emails")).toBe(can && isOn);
    }
  });

  test("names none while the database fails", async () => {
    for (const path of ["/", "/privacy"]) {
      expect((await read(path, { DB: brokenD1, CACHE: { ...env.CACHE } })).text, path).toContain(newsOnly.text);
    }
  });

  test.skipIf(!(switches.letters && switches.series))("names them two seconds after the database is well", async () => {
    stopClock();
    await followUp(true);
    // With caches of its own, which other tests have not filled.
    const own = { CACHE: { ...env.CACHE }, VERSION: { ...env.VERSION, id: "well-again" }, RENDER_CACHE: "on" };
    expect((await read("/", { ...own, DB: brokenD1 })).text).toContain(newsOnly.text);
    vi.setSystemTime(Date.now() + 2_000);
    expect((await read("/", own)).text).toContain(withFollowUps.text);
  });
});

describe("a form without JavaScript", () => {
  const send = (fields: object) => post("/", { email: "ada@example.com", ...fields }, { headers: own });

  test("states the version that its page shows, which is on record although another is shown by now", async () => {
    await followUp(true);
    const [shown = ""] = stated((await read("/")).body);
    await followUp(false);
    expect((await send({ [WORDING_FIELD]: shown })).status).toBe(201);
    expect(await versions()).toEqual([shown]);
    expect(consentText(shown)).toBe(switches.letters && switches.series ? withFollowUps.text : newsOnly.text);
  });

  test("that states none claims nothing, and the records say so", async () => {
    const owner = await signedIn({});
    expect((await send({})).status).toBe(201);
    expect(await versions()).toEqual([null]);
    expect(visibleText((await owner.request("/owner/entries/1")).body)).toContain("Agreed to No wording stated");
    expect((await read(`/your-data/${await dataToken(1)}`)).text).toContain("Wording None stated");
  });

  test("that states one this site never had adds nobody, and keeps what was typed", async () => {
    const { status, body } = await send({ [WORDING_FIELD]: "1999-01" });
    expect(status).toBe(422);
    expect(visibleText(body)).toContain("This form may not show what we promise.");
    expect(body).toContain('value="ada@example.com"');
    expect(await versions()).toEqual([]);
  });
});

test("someone who rejoins agrees to what their page shows, and to nothing if it states no version of ours", async () => {
  await followUp(true);
  for (const email of ["ada@example.com", "bob@example.com"]) await join(email);
  await env.DB.exec("UPDATE waitlist_emails SET status = 'unsubscribed', consent_version = '2025-01'");
  const [ada, bob] = [`/your-data/${await dataToken(1)}`, `/your-data/${await dataToken(2)}`];
  const [shown = ""] = stated((await read(ada)).body);
  await followUp(false);
  await post(ada, { intent: "rejoin", [WORDING_FIELD]: shown }, { headers: own });
  await post(bob, { intent: "rejoin", [WORDING_FIELD]: "1999-01" }, { headers: own });
  expect(await versions()).toEqual([shown, null]);
});
