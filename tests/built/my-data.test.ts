import { env } from "cloudflare:test";
import { beforeEach, describe, expect, test } from "vitest";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import { questions } from "#app/site.ts";
import * as switches from "#app/switches.ts";
import { pioneerLabel } from "#app/waitlist/entries/entry-columns.server.ts";
import { answerText } from "#app/waitlist/questions/answers.ts";
import { newsOnly } from "#app/waitlist/sign-up/consent-wording.ts";
import { dataToken, post, read, visibleText } from "#tests/support/pool/built.ts";
import { emailBinding } from "#tests/support/pool/emails.ts";
import { execute, freshStorageForEachTest, join, needs, rows, storedAnswers } from "#tests/support/pool/start.ts";
import { storeLetter } from "#tests/support/pool/stored-letter.ts";
import { answerFields, answersToAll, NO_QUESTIONS } from "#tests/support/site-answers.ts";

/* The page behind the link to an entry. The link itself: links.slow.matrix.test.ts. */

freshStorageForEachTest();

let page: string;

beforeEach(async () => {
  page = `/your-data/${await dataToken(await join("ada@example.com", { now: 0 }))}`;
});

/** Submits one of the page's buttons and follows the redirect. */
async function press(intent: string): Promise<string> {
  const { status: code, headers } = await post(page, { intent });
  expect(code).toBe(303);
  return (await read(headers.get("Location") ?? "")).text;
}

const status = async () => (await rows<{ status: string }>("waitlist_emails")).map((row) => row.status);

describe("an unsubscribed address that signs up again", () => {
  beforeEach(() => post(page, { intent: "unsubscribe" }));

  test("gets the response of a new one, stays off the list, and is sent one rejoin email", async () => {
    const { binding, accepted } = emailBinding();
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const response = await post(
        "/",
        { email: "Ada@example.com", source: "landing_page" },
        { replaced: { EMAIL: binding } },
      );
      expect(response.status).toBe(201);
      expect(response.body).toContain("Thanks for joining! Please check your email.");
    }
    expect(await status()).toEqual(["unsubscribed"]);
    expect(accepted).toEqual(["ada@example.com"]);
    expect(await rows("email_outbox")).toMatchObject([{ kind: "rejoin", done_at: expect.any(Number) }]);
  });

  test("is added back by the button, with its cancelled welcome email queued again", async () => {
    expect(await rows("email_outbox")).toEqual([]);
    await press("rejoin");
    expect(await rows("email_outbox")).toMatchObject([{ kind: "welcome", done_at: null }]);
  });

  test("stays blocked when it is added back if an owner has blocked it", async () => {
    const hash = await keyedHash("address:v1", "ada@example.com", env.HASH_KEY);
    await env.DB.prepare("INSERT INTO suppressions VALUES (?, 'blocked', NULL, 0)").bind(hash).run();
    await press("rejoin");
    expect(await status()).toEqual(["active"]);
    expect(await rows("suppressions")).toMatchObject([{ reason: "blocked", until: null }]);
  });
});

describe("the consent on record", () => {
  test("is shown with its wording, its form, its date and who withdrew it", async () => {
    const { text, body } = await read(page);
    expect(text).toContain("Signed up with A form on our landing page Agreed on 1 January 1970");
    expect(text).toContain(`Wording “${newsOnly.text}”`);
    expect(text).not.toMatch(/Address confirmed|Withdrawn/);
    expect(body).not.toMatch(/\b\d{1,3}(?:\.\d{1,3}){3}\b/);
    await post(page, { intent: "unsubscribe" });
    expect((await read(page)).text).toMatch(/Withdrawn \d+ \w+ \d{4}, by you/);
    await post(page, { intent: "rejoin" });
    const after = (await read(page)).text;
    expect(after).toMatch(/Agreed on \d+ \w+ 20\d\d .* Address confirmed \d+ \w+ 20\d\d/);
    expect(after).not.toContain("Withdrawn");
  });

  test("says how imported people agreed, until they agree again by rejoining", async () => {
    await env.DB.exec("UPDATE waitlist_emails SET import_id = 1, consent_version = NULL, consent_note = 'Paper list'");
    const { text } = await read(page);
    expect(text).toContain(
      "Signed up with A list that we added you from Agreed on 1 January 1970 How you agreed “Paper list”",
    );
    const { body } = await post(page, { intent: "show-data" });
    expect(visibleText(body)).toContain("How they agreed Paper list");
    for (const intent of ["unsubscribe", "rejoin"]) await post(page, { intent });
    expect((await read(page)).text).not.toContain("How you agreed");
  });

  test("says that an address is not confirmed yet", async () => {
    await env.DB.exec("UPDATE waitlist_emails SET confirm_by = 1");
    expect((await read(page)).text).toContain("Address confirmed Not yet");
  });
});

describe("never email this address again", () => {
  test("is offered to people who have left, works once, says so, and is undone by rejoining", async () => {
    expect((await read(page)).body).not.toContain("Never email this address again");
    await post(page, { intent: "unsubscribe" });
    expect(await press("never")).toContain("We’ll never email this address again.");
    expect(await press("never")).toContain("We already send no email to this address.");
    const { body, text } = await read(page);
    expect(text).toContain("We send no email to it.");
    expect(body).not.toContain("Never email this address again</button>");
    expect(await rows("suppressions")).toMatchObject([{ reason: "never", until: null }]);
    expect(await press("rejoin")).toContain("You’re back on the waitlist.");
    expect(await rows("suppressions")).toEqual([]);
    expect(await press("unsubscribe")).not.toContain("We send no email to it.");
  });
});

describe("a link that is more than 30 days old", () => {
  let expired: string;

  beforeEach(async () => {
    expired = `/your-data/${await dataToken(1, undefined, Date.now() - 31 * 24 * 3_600_000)}`;
  });

  test("offers a new one by email, and nothing else", async () => {
    const { body } = await read(expired);
    expect(body.match(/<main.*<\/main>/s)?.[0].match(/<button/g)).toHaveLength(1);
    expect(body).not.toMatch(/@example|•••/);
    const before = await rows("waitlist_emails");
    for (const intent of ["unsubscribe", "rejoin", "never", "erase", "show-data"]) {
      const { status: redirected, headers: to } = await post(expired, { intent });
      expect([redirected, to.get("Location")]).toEqual([303, expired]);
    }
    expect(await post(`${expired}/export`, {})).toMatchObject({ status: 303, body: "" });
    expect(await rows("waitlist_emails")).toEqual(before);
  });

  test.each(["active", "unsubscribed", "erased"] as const)(
    "responds the same for an entry that is %s",
    async (state) => {
      const { binding, accepted } = emailBinding();
      if (state === "unsubscribed") await post(page, { intent: "unsubscribe" });
      if (state === "erased") await post(page, { intent: "erase" });
      for (let request = 0; request < 3; request += 1) {
        const { status: code, headers } = await post(expired, { intent: "new-link" }, { replaced: { EMAIL: binding } });
        expect([code, headers.get("Location")]).toEqual([303, `${expired}?done=new-link`]);
        const { text } = await read(`${expired}?done=new-link`);
        expect(text).toContain("If your address is still on record, we’ve emailed you a new link.");
      }
      expect(accepted).toEqual(state === "erased" ? [] : ["ada@example.com"]);
    },
  );
});

describe("erase", () => {
  test("asks once more, and removes the entry and its emails at once; the link then says so", async () => {
    expect((await read(page)).text).toContain("Do you really want to erase your entry");
    expect(await press("erase")).toContain("Your entry has been erased. We won’t add you again unless you sign up.");
    expect(await rows("waitlist_emails")).toEqual([]);
    expect(await rows("email_outbox")).toEqual([]);
    expect(await press("erase")).toContain("had already been erased");
    expect(await rows("erased_totals")).toMatchObject([{ count: 1 }]);
  });
});

describe("the stored data", () => {
  test("everything stored is shown in words, with a button for the download, and changes nothing", async () => {
    const before = await rows("waitlist_emails");
    const { status: code, headers, body } = await post(page, { intent: "show-data" });
    expect(code).toBe(200);
    expect(headers.get("Cache-Control")).toBe("no-store");
    const text = visibleText(body);
    for (const shown of [
      "Address ada@example.com",
      "Status Active",
      "Signed up with A form on our landing page",
      `${pioneerLabel} Yes`,
      "Joined 1 January 1970 at 01:00",
      `Agreed to ${newsOnly.text}`,
      "Recorded by This site, 1 January 1970 at 01:00",
      "Robot check None",
      "Welcome email Queued 1 January 1970 at 01:00, not sent",
    ])
      expect(text).toContain(shown);
    expect(text).not.toMatch(/Unsubscribed|null|undefined|–/);
    expect(body).toContain(`action="${page}/export"`);
    expect(await rows("waitlist_emails")).toEqual(before);
  });

  test("a source that is not one of our forms is named as it is", async () => {
    for (const source of ["spring_fair", "constructor"]) {
      await env.DB.prepare("UPDATE waitlist_emails SET source = ?").bind(source).run();
      expect((await read(page)).text).toContain(`Signed up with ${source}`);
    }
  });

  test("every column that has a value is shown", async () => {
    const timed = ["unsubscribed_at", "confirm_by", "confirmed_at", "reminded_at", "changed_at"];
    const worded = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content", "referrer_host"];
    const values = [
      ...timed.map((column, index) => `${column} = ${Date.UTC(2001, index)}`),
      ...worded.map((column) => `${column} = 'of-${column}'`),
      "unsubscribe_reason = 'complaint'",
    ];
    await env.DB.exec(`UPDATE waitlist_emails SET ${values.join(", ")}`);
    await env.DB.prepare("INSERT INTO suppressions VALUES (?, 'complaint', NULL, 0)")
      .bind(await keyedHash("address:v1", "ada@example.com", env.HASH_KEY))
      .run();
    const text = visibleText((await post(page, { intent: "show-data" })).body);
    for (const month of ["January", "February", "March", "April", "May"]) expect(text).toContain(`1 ${month} 2001`);
    for (const column of worded) expect(text).toContain(`of-${column}`);
    expect(text).toContain("Unsubscribed by a spam report about one of our emails");
    expect(text).toContain("We send no email, because one of our emails was reported as spam");
  });

  test("the download is JSON with everything stored except hashes", async () => {
    const { headers, body } = await post(`${page}/export`, {});
    expect(headers.get("Content-Type")).toContain("application/json");
    expect(headers.get("Content-Disposition")).toBe('attachment; filename="my-data.json"');
    expect(headers.get("Cache-Control")).toBe("no-store");
    const { mailbox_hash: _, address_hash: __, ...shown } = (await rows("waitlist_emails"))[0] ?? {};
    const columns = Object.keys(shown);
    const ofFriends = switches.referrals
      ? ["came_through_a_personal_link", "counts_as_a_friend", "friends", "milestones", "note_on_that"]
      : [];
    expect(Object.keys(JSON.parse(body)).toSorted()).toEqual(
      [...columns, ...ofFriends, "emails", "letters", "suppression"].toSorted(),
    );
    expect(JSON.parse(body)).toMatchObject({
      email: "ada@example.com",
      status: "active",
      created_at: "1970-01-01T00:00:00.000Z",
      consent_version: newsOnly.version,
      consent_at: "1970-01-01T00:00:00.000Z",
      confirmed_at: null,
      unsubscribe_reason: null,
      emails: [{ kind: "welcome", queued_at: "1970-01-01T00:00:00.000Z", sent_at: null }],
    });
  });

  test("the download needs a POST, since scanners open links, and an entry: otherwise it leads back", async () => {
    const opened = await read(`${page}/export`);
    await post(page, { intent: "erase" });
    for (const response of [opened, await post(`${page}/export`, {}), await post(page, { intent: "show-data" })]) {
      expect([response.status, response.headers.get("Location")]).toEqual([303, page]);
    }
  });
});

describe.skipIf(questions.length === 0)(questions.length === 0 ? NO_QUESTIONS : "the questions", () => {
  const [first, second] = [answersToAll(0), answersToAll(1)];
  const wordsOf = (answers: Record<string, string>) =>
    questions.map((question) => answerText(question, answers[question.key] ?? ""));
  const fieldsOf = (answers: Record<string, string>) => ({ intent: "answers", ...answerFields(answers) });
  const none = Object.fromEntries(questions.map(({ key }) => [key, ""]));

  async function answer(answers: Record<string, string>): Promise<string> {
    const { status: code, headers } = await post(page, fieldsOf(answers));
    expect(code).toBe(303);
    return (await read(headers.get("Location") ?? "")).text;
  }

  test("are asked; the answers are shown, changed and removed", async () => {
    const count = (text: string) => text.split("Not answered yet.").length - 1;
    expect(count((await read(page)).text)).toBe(questions.length);
    for (const answers of [first, second]) {
      const text = await answer(answers);
      expect(text).toContain("We’ve stored your answers");
      for (const words of wordsOf(answers)) expect(text).toContain(`Your answer: ${words}.`);
      expect(await storedAnswers()).toEqual([answers]);
    }
    expect(JSON.parse((await post(`${page}/export`, {})).body)).toMatchObject({ answers: second });
    const { body } = await post(page, { intent: "show-data" });
    for (const { label } of questions) expect(visibleText(body)).toContain(label);
    for (const words of wordsOf(second)) expect(visibleText(body)).toContain(words);
    expect(count(await answer(none))).toBe(questions.length);
    expect(await storedAnswers()).toEqual([null]);
  });

  test("are not asked of people who have left, who can still remove their answers", async () => {
    await post(page, fieldsOf(first));
    await post(page, { intent: "unsubscribe" });
    for (const words of wordsOf(first)) expect((await read(page)).text).toContain(`Your answer: ${words}.`);
    expect(await answer(none)).not.toContain(questions[0]?.wording);
    expect(await storedAnswers()).toEqual([null]);
  });

  test("take only valid answers, and only from a valid link", async () => {
    const [question] = questions;
    const bad = question?.answers === undefined ? "x".repeat(121) : "visitor";
    const { status: code, body } = await post(page, fieldsOf({ ...first, [question?.key ?? ""]: bad }));
    expect(code).toBe(422);
    expect(visibleText(body)).toMatch(/Please choose one of the answers\.|Please use at most 120 characters\./);
    expect((await post(`${page}x`, fieldsOf(first))).status).toBe(404);
    const expired = `/your-data/${await dataToken(1, undefined, Date.now() - 31 * 24 * 3_600_000)}`;
    expect((await post(expired, fieldsOf(first))).status).toBe(303);
    expect(await storedAnswers()).toEqual([null]);
  });

  test("that are no longer asked stay among the stored data", async () => {
    await env.DB.exec(`UPDATE waitlist_emails SET answers = '{"no_longer_asked":"Something"}'`);
    const { body } = await post(page, { intent: "show-data" });
    expect(visibleText(body)).toContain("Something");
  });
});

describe("follow-ups", () => {
  needs("letters", "series");

  test("that someone was sent are named, and unsubscribing is put down to them", async () => {
    await storeLetter({ state: "sending", subject: "A question", step_id: 1, started_at: 1 });
    const sent =
      "INSERT INTO letter_recipients (letter_id, position, entry_id, state, done_at) VALUES (1, 0, 1, 'sent', ?)";
    await execute(sent, Date.now());
    const text = visibleText((await post(page, { intent: "show-data" })).body);
    expect(text).toContain("Follow-up “A question” Sent ");
    expect((await post(page, { intent: "unsubscribe" })).status).toBe(303);
    expect(await rows("waitlist_emails")).toMatchObject([{ status: "unsubscribed" }]);
    const recipient = await env.DB.prepare("SELECT unsubscribed_at FROM letter_recipients").first();
    expect(recipient).toEqual({ unsubscribed_at: expect.any(Number) });
  });
});

test("unknown intents and other types of content change nothing", async () => {
  expect((await post(page, { intent: "explode" })).status).toBe(400);
  expect((await post(page, {}, { headers: { "Content-Type": "application/json" } })).status).toBe(400);
  expect(await status()).toEqual(["active"]);
});
