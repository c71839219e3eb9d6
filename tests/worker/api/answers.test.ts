import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import { inventCode } from "#app/waitlist/entries/entry-code.server.ts";
import { eraseEntry } from "#app/waitlist/entries/erase-entries.server.ts";
import { signDataToken } from "#app/waitlist/my-data/token.server.ts";
import { createAnswerToken } from "#app/waitlist/questions/answer-token.server.ts";
import { answerTokenOf } from "#tests/support/pool/answer-token.ts";
import { brokenD1, meteredD1 } from "#tests/support/pool/d1.ts";
import { apiSite, errorBody, statusAndBody } from "#tests/support/pool/site.ts";
import { db, freshStorageForEachTest, rows } from "#tests/support/pool/start.ts";

const log = freshStorageForEachTest();
const site = apiSite();
const answered = { status: 200, body: { ok: true, message: expect.stringContaining("Thanks") } };
const closed = { status: 403, body: errorBody("invalid-token", expect.stringContaining("closed")) };

interface Joined {
  message: string;
  answerToken: string;
}

/** Signs up and returns the response's body. */
async function join(email: string, fields: object = {}): Promise<Joined> {
  const response = await site.post("/api/signup", { email, ...fields });
  expect(response.status).toBe(201);
  return response.json<Joined>();
}

async function answer(answerToken: unknown, role: unknown) {
  return statusAndBody(await site.post("/api/answers", { answerToken, answers: { role } }));
}

/** The first answer of each entry. */
const stored = async () =>
  (await rows<{ answers: string | null }>("waitlist_emails")).map(({ answers }) =>
    answers === null ? null : JSON.parse(answers).role,
  );

test("the token of a sign-up stores what brings the person here, and changes it", async () => {
  const ada = await join("ada@example.com");
  await join("bob@example.com");
  expect(await stored()).toEqual([null, null]);
  for (const role of ["host", "stallholder", "both", "curious"]) {
    expect(await answer(ada.answerToken, role)).toEqual(answered);
    expect(await stored()).toEqual([role, null]);
  }
});

test("answers to all the questions are stored together, and each can be removed", async () => {
  const { answerToken } = await join("ada@example.com");
  const given = {
    role: "host",
    town: ` Le\neds ${"x".repeat(113)}`,
    fairs: "none",
    craft: "“Ünïcode” & '; --",
    tent: "yes",
  };
  expect((await site.post("/api/answers", { answerToken, answers: given })).status).toBe(200);
  const town = `Le eds ${"x".repeat(113)}`;
  const read = async () => JSON.parse((await rows<{ answers: string }>("waitlist_emails"))[0]?.answers ?? "null");
  expect(await read()).toEqual({ ...given, town });
  const removal = { answerToken, answers: { town: null, craft: "  ", role: "" } };
  expect((await site.post("/api/answers", removal)).status).toBe(200);
  expect(await read()).toEqual({ fairs: "none", tent: "yes" });
  await site.post("/api/answers", { answerToken, answers: { fairs: null, tent: null } });
  expect(await read()).toBeNull();
});

describe("responses that do not reveal who is on the list", () => {
  const honeypot = { pitch_remark: "https://spam.example" };

  test("a new person, a former one and a bot get responses that differ in nothing but the token's random text", async () => {
    const added = await join("ada@example.com");
    await unsubscribeEntry(db, 1, Date.now());
    const former = await join("ada@example.com");
    const bot = await join("bot@example.com", honeypot);
    for (const body of [former, bot]) {
      expect(Object.keys(body)).toEqual(Object.keys(added));
      expect(body.message).toBe(added.message);
      expect(body.answerToken).toHaveLength(added.answerToken.length);
    }
    expect(new Set([added, former, bot].map(({ answerToken }) => answerToken)).size).toBe(3);
  });

  test("their tokens get the same response, after the same statement", async () => {
    const tokens = [(await join("ada@example.com")).answerToken, (await join("bob@example.com")).answerToken];
    await eraseEntry(db, 2, Date.now());
    await unsubscribeEntry(db, 1, Date.now());
    tokens.push((await join("ada@example.com")).answerToken, (await join("bot@example.com", honeypot)).answerToken);
    const used = [];
    for (const answerToken of tokens) {
      const { d1: DB, executed } = meteredD1();
      const response = await apiSite({ DB }).post("/api/answers", { answerToken, answers: { role: "host" } });
      const headers = Object.fromEntries(response.headers);
      used.push({ ...(await statusAndBody(response)), headers, statements: executed.map(({ sql }) => sql) });
    }
    expect(used[0]).toMatchObject(answered);
    // The other one reads the settings, as every isolate does first.
    expect(used[0]?.statements).toHaveLength(2);
    for (const other of used) expect(other).toEqual(used[0]);
  });

  test("the token of a former subscriber's address does not change what they said, since anyone can enter it", async () => {
    const own = await join("ada@example.com");
    await answer(own.answerToken, "host");
    await unsubscribeEntry(db, 1, Date.now());
    const { answerToken } = await join("ada@example.com");
    expect(await answer(answerToken, "stallholder")).toEqual(answered);
    expect(await rows("waitlist_emails")).toMatchObject([{ answers: '{"role":"host"}', status: "unsubscribed" }]);
  });

  test("the token of a filled honeypot changes no entry, not even that of its address", async () => {
    await join("ada@example.com");
    const { answerToken } = await join("ada@example.com", honeypot);
    expect(await answer(answerToken, "host")).toEqual(answered);
    expect(await stored()).toEqual([null]);
  });
});

describe("an answer that is not stored", () => {
  test("a token that is missing, made up, of another kind, or an hour old", async () => {
    const { answerToken } = await join("ada@example.com");
    const hourAgo = Date.now() - 3_600_000;
    const invented = await createAnswerToken(await inventCode(env.HASH_KEY), hourAgo, env.LINK_SECRET);
    const old = [await answerTokenOf(1, hourAgo), invented];
    const data = await signDataToken(1, Date.now(), env.LINK_SECRET);
    const foreign = await answerTokenOf(1, Date.now(), "another-secret-of-32-characters!");
    const altered = [`${answerToken}x`, answerToken.toLowerCase()];
    for (const token of [undefined, null, 7, {}, "", "x", ...altered, data, foreign, ...old])
      expect(await answer(token, "host")).toEqual(closed);
    expect(await stored()).toEqual([null]);
    expect(await answer(await answerTokenOf(1, hourAgo + 60_000), "host")).toEqual(answered);
  });

  test.each<[code: string, answers: unknown]>([
    ...[undefined, null, "", [], {}, "host", 7].map((answers): [string, unknown] => ["invalid-answer", answers]),
    ...["HOST", "visitor", "toString", 1, ["host"], {}].map((role): [string, unknown] => ["invalid-answer", { role }]),
    ["invalid-answer", { town: ["Leeds"] }],
    ["unknown-question", { town: "Leeds", colour: "blue" }],
    ["unknown-question", { hasOwnProperty: "x" }],
    ["answer-too-long", { role: "host", town: "x".repeat(121) }],
  ])("%s: %j stores nothing, not even what else is right", async (code, answers) => {
    const { answerToken } = await join("ada@example.com");
    const response = await statusAndBody(await site.post("/api/answers", { answerToken, answers }));
    expect(response).toEqual({ status: 422, body: errorBody(code, expect.any(String)) });
    expect(await rows("waitlist_emails")).toMatchObject([{ answers: null }]);
  });

  test("other methods, other sites and large bodies", async () => {
    const { answerToken } = await join("ada@example.com");
    const path = `/api/answers?answerToken=${answerToken}&answers=host`;
    for (const method of ["GET", "HEAD", "PUT"]) expect((await site.request(path, { method })).status).toBe(405);
    const fields = { answerToken, answers: { role: "host" } };
    const post = async (body: object, headers = {}) => (await site.post("/api/answers", body, headers)).status;
    expect(await post(fields, { Origin: "https://evil.example" })).toBe(403);
    expect(await post({ ...fields, pad: "x".repeat(5_000) })).toBe(413);
    expect(await post(fields, { "Content-Type": "text/plain" })).toBe(415);
    expect(await stored()).toEqual([null]);
  });

  test("while the database fails: 503, a reference, and words about the answer", async () => {
    const { answerToken } = await join("ada@example.com");
    const response = await apiSite({ DB: brokenD1 }).post("/api/answers", { answerToken, answers: { role: "host" } });
    const { status, body } = await statusAndBody(response);
    const message = expect.stringMatching(/your answer wasn’t stored.*Reference \w{4}/);
    expect([status, body]).toEqual([503, errorBody("unavailable", message)]);
    expect(log.filter((line) => /@|ada/.test(line))).toEqual([]);
  });
});

test("the 11th answer with one token in a minute: 429 from any client, and counted", async () => {
  const { answerToken } = await join("ada@example.com");
  const responses = [];
  for (let n = 0; n < 11; n += 1) {
    const headers = { "CF-Connecting-IP": `2001:db8:${n}::1` };
    responses.push(await site.post("/api/answers", { answerToken, answers: { role: "host" } }, headers));
  }
  expect(responses.map(({ status }) => status)).toEqual([...Array(10).fill(200), 429]);
  expect(responses.at(-1)?.headers.get("Retry-After")).toBe("60");
  expect(await rows("blocked_attempts")).toMatchObject([{ reason: "rate-limited" }]);
});

test("the log has neither addresses nor tokens", async () => {
  const { answerToken } = await join("ada@example.com");
  await answer(answerToken, "host");
  const lines = log.map((line) => JSON.parse(line)).filter(({ event }) => event === "questions-answered");
  expect(lines).toMatchObject([{ entryId: 1, changed: true }]);
  expect(log.join()).not.toMatch(new RegExp(`@|${answerToken.slice(0, 20)}`));
});
