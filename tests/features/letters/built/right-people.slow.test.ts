import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import { questions } from "#app/site.ts";
import { content, ownersLetters } from "#tests/features/letters/pool/owners-letters.ts";
import { visibleText } from "#tests/support/pool/built.ts";
import { loggedActions, OWNER, problemsOf, technicalWords } from "#tests/support/pool/owner.ts";
import { execute, freshStorageForEachTest, join, needs, rows } from "#tests/support/pool/start.ts";
import { storeLetter } from "#tests/support/pool/stored-letter.ts";
import { NO_QUESTIONS } from "#tests/support/site-answers.ts";

/* To the right people: those who were sent an earlier letter, who match at a time, one person again, or a test anywhere. */

needs("letters");

const log = freshStorageForEachTest();
const { browser, post, next, done, page, write, stored } = ownersLetters();

const overview = async () => visibleText((await browser().request("/owner")).body);

/** Suppresses the address of an entry. */
async function suppress(email: string, reason: string) {
  const hash = await keyedHash("address:v1", email, env.HASH_KEY);
  await execute("UPDATE waitlist_emails SET address_hash = ? WHERE email = ?", hash, email);
  await execute("INSERT INTO suppressions VALUES (?, ?, NULL, 0)", hash, reason);
}

const sentTo = (subject: string) =>
  browser()
    .emails.filter((email) => email.subject === subject)
    .map(({ to }) => String(to));

/** A letter that Ada was sent and Bob was not. @returns its id */
async function earlierLetter(subject = "First news"): Promise<number> {
  const id = await storeLetter({ subject });
  await env.DB.exec(
    `INSERT INTO letter_recipients (letter_id, position, entry_id, state, done_at) VALUES (${id}, 0, 1, 'sent', 0), (${id}, 1, 2, 'skipped', 0)`,
  );
  return id;
}

test("a letter is for those who were sent an earlier one, named by its subject", async () => {
  await earlierLetter("First news, {{gone|friend}}");
  await write();
  expect(await page("/2/audience")).toMatch(
    /Only people who were sent.*<option value="1">First news, .*Leave out people/s,
  );
  await post("/2/audience", { intent: "count", sent: "1" });
  expect((await stored())?.audience).toBe('{"filter":{},"sentLetter":1}');
  const shown = await page("/2/audience");
  expect(visibleText(shown)).toContain("1 person will get this letter.");
  expect(shown).toMatch(/<option value="1" selected="">/);
  expect(visibleText(await page("/2/send"))).toContain("1 person (Sent “First news,");
  expect(problemsOf((await post("/2/audience", { sent: "x" })).body)).toEqual({ sent: "Choose one of the letters." });
});

describe("a letter for a later time", () => {
  const time = "2031-01-01T10:00";
  const later = { intent: "start", when: "later", count: "2" };

  /** Schedules a letter for tomorrow. @returns what makes its time come */
  async function schedule() {
    const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    await post("/1/send", { ...later, time: `${day}T10:00` });
    return () => execute("UPDATE letters SET scheduled_for = ?", Date.now() - 1);
  }

  test("says who gets it, and stands on the overview until it starts", async () => {
    await write();
    const { body } = await post("/1/send", { ...later, time, count: "3" });
    expect(visibleText(body)).toContain(
      "Who matches when it starts gets it: about 2 people now. If that is more than 2",
    );
    expect(await overview()).not.toContain("Scheduled");
    const makeDue = await schedule();
    expect(await overview()).toMatch(
      /Scheduled The market opens \d+ \w+ \d{4}, 10:00 \(Europe\/London\): letter to about 2 people/,
    );
    expect((await browser().request("/owner")).body).toContain('href="/owner/letters/1">The market opens</a>');
    expect(visibleText(await page("/1"))).toMatch(/who matches then gets it: about 2 people now/);
    await makeDue();
    await browser().runCron();
    expect(await overview()).not.toContain("Scheduled");
    expect(sentTo(content.subject).toSorted()).toEqual(["ada@example.com", "bob@example.com"]);
  });

  test("asks its owner when far more people match, and goes to those once the owner says so", async () => {
    await write();
    const makeDue = await schedule();
    await join("cyd@example.com");
    await makeDue();
    await browser().runCron();
    expect(sentTo(content.subject)).toEqual([]);
    const waits = await page("/1");
    expect(visibleText(waits)).toContain("Not started: 3 people match now, and you confirmed 2.");
    expect(waits).toMatch(/name="count" value="3".*Send to 3 people.*value="unschedule"[^>]*>Change…</s);
    expect(technicalWords(waits)).toEqual([]);
    expect(await page("")).toContain("Its audience is not as you confirmed it");
    const shown = await overview();
    expect(shown).toContain("“The market opens” is paused: its audience is not as you confirmed it.");
    expect(shown).not.toContain("Scheduled");
    expect(await done("/1", { intent: "resume" })).toBe("unchanged");
    expect(await done("/1", { intent: "send-to-present", count: "2" })).toBe("unchanged");
    const pressed = await Promise.all([1, 2].map(() => done("/1", { intent: "send-to-present", count: "3" })));
    expect(pressed.toSorted()).toEqual(["started", "unchanged"]);
    await browser().runCron();
    expect(sentTo(content.subject)).toHaveLength(3);
    expect((await loggedActions()).at(-1)).toEqual(["send-letter", { letterId: 1, people: 3 }]);
  });

  test("that waits can be changed instead", async () => {
    await write();
    const makeDue = await schedule();
    await env.DB.exec("UPDATE waitlist_emails SET status = 'unsubscribed'");
    await makeDue();
    await browser().runCron();
    const waits = await page("/1");
    expect(visibleText(waits)).toContain("Not started: 0 people match now, and you confirmed 2.");
    expect(waits).not.toContain("send-to-present");
    expect(await done("/1", { intent: "unschedule" })).toBe("unscheduled");
    expect(await stored()).toMatchObject({ state: "draft" });
    expect(await rows("email_pauses")).toEqual([]);
  });
});

describe("one person again", () => {
  const entry = async (id = 1) => (await browser().request(`/owner/entries/${id}?source=stall`)).body;
  const again = async (fields: Record<string, string>) =>
    (await browser().post("/owner/letters/again?source=stall", fields)).headers.get("Location");

  test("gets a letter that they were sent, once for two presses, and the list keeps its filter", async () => {
    await earlierLetter();
    expect(await entry()).toMatch(/action="\/owner\/letters\/again\?source=stall".*<option value="1">First news/s);
    expect(await entry(2)).not.toContain("/owner/letters/again");
    const pressed = await Promise.all([1, 2].map(() => again({ entry: "1", letter: "1" })));
    expect(pressed.toSorted()).toEqual(
      ["recent", "repeated"].map((how) =>
        how === "recent"
          ? "/owner/entries/1?source=stall&done=repeat-recent"
          : "/owner/entries/1?source=stall&done=repeated",
      ),
    );
    expect(sentTo("First news")).toEqual(["ada@example.com"]);
    expect(visibleText(await entry())).toMatch(/Letter, sent again: First news Sent /);
    expect(await loggedActions()).toEqual([["repeat-letter", { entryId: 1, letter: "1" }]]);
    expect(log.join()).not.toContain("ada@example.com");
  });

  test.each([
    ["was not sent it", "2", "SELECT 1"],
    ["has left", "1", "UPDATE waitlist_emails SET status = 'unsubscribed'"],
    ["has yet to confirm", "1", "UPDATE waitlist_emails SET confirm_by = 1"],
    ["gets no email", "1", null],
  ])("is not offered and not sent it if the person %s", async (_, id, change) => {
    await earlierLetter();
    if (change === null) await suppress("ada@example.com", "hard-bounce");
    else await env.DB.exec(change);
    expect(await entry(Number(id))).not.toContain("/owner/letters/again");
    expect(await again({ entry: id, letter: "1" })).toBe(`/owner/entries/${id}?source=stall&done=repeat-refused`);
    expect([sentTo("First news"), await loggedActions()]).toEqual([[], []]);
  });

  test("no letter or entry that does not exist", async () => {
    await earlierLetter();
    expect(await again({ entry: "9", letter: "1" })).toContain("repeat-refused");
    for (const fields of [{ entry: "1", letter: "9" }, { entry: "x", letter: "1" }, {}])
      expect((await browser().post("/owner/letters/again", fields as Record<string, string>)).status).toBe(404);
  });

  test("is asked once more to confirm, if the address gets email", async () => {
    await join("cyd@example.com", { mustConfirm: true, now: Date.now() - 3_600_000 });
    await browser().runCron();
    const confirmations = () => browser().emails.filter(({ to }) => to === "cyd@example.com").length;
    expect(confirmations()).toBe(1);
    expect(visibleText(await entry(3))).toContain("Ask again to confirm");
    const press = async () =>
      (await browser().post("/owner/entries/3", { intent: "resend-confirmation" })).headers.get("Location");
    const pressed = await Promise.all([press(), press()]);
    expect(pressed.toSorted()).toEqual(["/owner/entries/3?done=repeat-recent", "/owner/entries/3?done=repeated"]);
    expect(confirmations()).toBe(2);
    expect((await loggedActions()).at(-1)).toEqual(["resend-confirmation", { entryId: 3 }]);
    await suppress("cyd@example.com", "never");
    expect(await entry(3)).not.toContain("resend-confirmation");
    expect(await entry(1)).not.toContain("resend-confirmation");
  });
});

const [question] = questions;

describe("a test", () => {
  const key = question?.key ?? "none";
  const test1 = { intent: "test", to: "phone@elsewhere.example" };

  test("goes to any address, which the log does not have", async () => {
    await write();
    expect(await page("/1/send")).toContain(`name="to" value="${OWNER}"`);
    expect(await next("/1/send", test1)).toBe("/owner/letters/1/send?done=tested");
    expect(browser().emails.at(-1)).toMatchObject({ to: test1.to, subject: "[Test] The market opens" });
    expect((await loggedActions()).at(-1)).toEqual(["test-letter", { letterId: 1, to: "another address" }]);
    expect(log.join() + JSON.stringify(await rows("owner_log"))).not.toContain(test1.to);
    expect(visibleText((await browser().request("/owner/log")).body)).toContain(
      "“The market opens” (letter 1) , to another address",
    );
  });

  test("is refused, with a sentence and the form as it was, to who gets no email", async () => {
    await write();
    await join("cyd@example.com", { mustConfirm: true });
    await env.DB.exec("UPDATE waitlist_emails SET status = 'unsubscribed' WHERE id = 1");
    await suppress("bob@example.com", "complaint");
    const refusals = { "ada@": "unsubscribed", "bob@": "We send no email there", "cyd@": "confirm", Ada: "valid" };
    for (const [name, words] of Object.entries(refusals)) {
      const to = name === "Ada" ? name : `${name}example.com`;
      const { status, body } = await post("/1/send", { intent: "test", to });
      expect([to, status, problemsOf(body)["to"]]).toEqual([to, 422, expect.stringContaining(words)]);
      expect(body).toContain(`name="to" value="${to}"`);
    }
    expect(browser().emails).toEqual([]);
  });

  test("goes to other addresses twenty times an hour, and to oneself at any time", async () => {
    await write();
    await execute(
      `INSERT INTO owner_log (actor, action, details, created_at) SELECT ?, iif(value % 2, 'test-letter', 'test-step'), '{"letterId":1,"to":"another address"}', ? FROM json_each(?)`,
      OWNER,
      Date.now() - 1_000,
      JSON.stringify(Array.from({ length: 19 }, (_, n) => n)),
    );
    expect((await post("/1/send", test1)).status).toBe(303);
    const { status, body } = await post("/1/send", test1);
    expect([status, problemsOf(body)["test"]]).toEqual([429, expect.stringContaining("20 tests to other addresses")]);
    expect(body).toContain(`value="${test1.to}"`);
    expect((await post("/1/send", { intent: "test" })).status).toBe(303);
    await execute("UPDATE owner_log SET created_at = ?", Date.now() - 3_600_001);
    expect((await post("/1/send", test1)).status).toBe(303);
  });

  test.skipIf(question === undefined)(
    question === undefined
      ? NO_QUESTIONS
      : "has no answers, sample ones, or those of a person, whose links stay their own",
    async () => {
      await write({ subject: `News, {{${key}|friend}}` });
      const answer = Object.keys(question?.answers ?? { Hay: "Hay" })[0] ?? "Hay";
      await execute("UPDATE waitlist_emails SET answers = ? WHERE id = 2", JSON.stringify({ [key]: answer }));
      const words = question?.answers?.[answer] ?? answer;
      const sample = question?.answers === undefined ? `[${question?.label}]` : Object.values(question.answers)[0];
      const sent = async (fields: Record<string, string>) => {
        const { status } = await post("/1/send", { ...test1, ...fields });
        return [status, browser().emails.at(-1)?.subject];
      };
      expect(await sent({})).toEqual([303, "[Test] News, friend"]);
      expect(await sent({ answers: "sample" })).toEqual([303, `[Test] News, ${sample}`]);
      for (const person of ["2", "Bob@Example.com"])
        expect(await sent({ answers: "person", person })).toEqual([303, `[Test] News, ${words}`]);
      await browser().post(/\/unsubscribe\/[\w.-]+/.exec(browser().emails.at(-1)?.text ?? "")?.[0] ?? "");
      expect(await rows("waitlist_emails")).toMatchObject([{ status: "active" }, { status: "active" }]);
      const details = { letterId: 1, to: "another address", "with the answers of entry": "2" };
      expect((await loggedActions()).at(-1)).toEqual(["test-letter", details]);
      for (const person of ["", "99", "eve@example.com"]) {
        const { status, body } = await post("/1/send", { ...test1, answers: "person", person });
        expect([person, status, Object.keys(problemsOf(body))]).toEqual([person, 422, ["person"]]);
        expect(body).toMatch(/name="answers" (checked="" )?value="person"( checked="")?/);
      }
    },
  );

  test("of a follow-up goes to any address, too", async () => {
    await browser().post("/owner/series", { days: "3", subject: "Pitches", body: "Hello", intent: "save" });
    const { headers } = await browser().post("/owner/series/1/preview", test1);
    expect(headers.get("Location")).toContain("step-tested");
    expect(browser().emails.at(-1)).toMatchObject({ to: test1.to, subject: "[Test] Pitches" });
    expect((await loggedActions()).at(-1)).toEqual(["test-step", { stepId: 1, to: "another address" }]);
    const { status, body } = await browser().post("/owner/series/1/preview", { intent: "test", to: "x" });
    expect([status, Object.keys(problemsOf(body))]).toEqual([422, ["to"]]);
  });
});
