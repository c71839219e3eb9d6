import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { decodeCode, encodeCode } from "#app/waitlist/entries/entry-code.server.ts";
import { eraseEntry } from "#app/waitlist/entries/erase-entries.server.ts";
import { killedProcess } from "#tests/support/pool/d1.ts";
import { countingMailer } from "#tests/support/pool/emails.ts";
import { unlimitedRates } from "#tests/support/pool/failures.ts";
import { apiSite } from "#tests/support/pool/site.ts";
import { db, freshStorageForEachTest, join, needs, rows } from "#tests/support/pool/start.ts";

needs("referrals");
const log = freshStorageForEachTest();
const site = apiSite(unlimitedRates);

const codeOf = (id: number) => encodeCode(id, env.HASH_KEY);
const signUp = async (fields: object) => site.post("/api/signup", fields);

/** An answer as bytes, but for the token, which is new each time. */
async function bytesOf(response: Response): Promise<string> {
  const head = [...response.headers].map((pair) => pair.join(": ")).join("\n");
  const body = (await response.text())
    .replace(/("answerToken":")[^"]{61}"/, '$1"')
    .replace(/\w{8}-\w{4}-[\w-]{22}/, "");
  return `${response.status}\n${head}\n\n${body}`;
}

describe("a code changes no answer", () => {
  /** All kinds of codes, by what they are. */
  async function codes(): Promise<Record<string, unknown>> {
    const erased = await join("erased@example.com");
    await eraseEntry(db, erased, Date.now());
    return {
      "someone's": await codeOf(await join("ada@example.com")),
      "someone's, in capitals": (await codeOf(1)).toUpperCase(),
      "that of someone who was erased": await codeOf(erased),
      "no one's": await codeOf(2 ** 37),
      "not a code": "x",
      long: "a".repeat(3_000),
      "a number": 42,
      "a list": ["abcdefgh"],
    };
  }

  /** The answers to one address with each code, as if each were the first to join. */
  async function answers(fields: object): Promise<Record<string, string>> {
    const given = { none: undefined, ...(await codes()) };
    const found: Record<string, string> = {};
    for (const [name, via] of Object.entries(given)) {
      await env.DB.exec("DELETE FROM waitlist_emails WHERE email = 'grace@example.com'");
      await env.DB.exec("UPDATE sqlite_sequence SET seq = 40 WHERE name = 'waitlist_emails'");
      found[name] = await bytesOf(await signUp({ ...fields, via }));
    }
    return found;
  }

  test.each([
    ["a new address", { email: "grace@example.com" }, 201],
    ["a listed address", { email: "ada@example.com" }, 409],
    ["an invalid address", { email: "ada@" }, 422],
    ["an unknown source", { email: "grace@example.com", source: "<b>" }, 422],
  ])("%s: the same bytes with every code and without one", async (_, fields, status) => {
    const { none, ...others } = await answers(fields);
    expect(none).toMatch(new RegExp(`^${status}\n`));
    for (const [name, bytes] of Object.entries(others)) expect(bytes, name).toBe(none);
  });

  test("a pretended sign-up and that of a former subscriber show a code too, which is no one's", async () => {
    const id = await join("ada@example.com");
    await env.DB.exec(`UPDATE waitlist_emails SET status = 'unsubscribed', unsubscribed_at = 1 WHERE id = ${id}`);
    const pretended = await signUp({ email: "bot@example.com", pitch_remark: "https://spam.example" });
    const former = await signUp({ email: "ada@example.com" });
    const real = await signUp({ email: "grace@example.com" });
    const [first, second, third] = await Promise.all(
      [pretended, former, real].map(async (response) => {
        expect(response.status).toBe(201);
        const { via } = (await response.json()) as { via: string };
        expect(via).toMatch(/^[2-9a-hjkmnp-z]{8}$/);
        return decodeCode(via, env.HASH_KEY);
      }),
    );
    expect(third).toBe(id + 1);
    for (const invented of [first, second]) expect(invented).toBeGreaterThan(2 ** 32);
  });

  test("a wrong code writes as many rows as a right one, and nothing of it is logged", async () => {
    const code = await codeOf(await join("ada@example.com"));
    await signUp({ email: "grace@example.com", via: code });
    await signUp({ email: "eve@example.com", via: await codeOf(2 ** 37) });
    expect(await rows("referrals")).toMatchObject([{ referrer_id: 1 }, { referrer_id: null }]);
    expect(log.join()).not.toContain(code);
  });
});

const kills = (["before", "after"] as const).flatMap((when) => [1, 2, 3].map((step) => ({ step, when })));

test.each(kills)(
  "a sign-up that is killed $when step $step and repeated is one entry with one referral",
  async (kill) => {
    const ada = await join("ada@example.com");
    const fields = { email: "grace@example.com", via: await codeOf(ada) };
    const process = killedProcess(countingMailer().mailer, kill);
    const { post } = apiSite({ ...unlimitedRates, DB: process.d1 });
    await process.untilDead(post("/api/signup", fields));
    await signUp(fields);
    expect(await rows("referrals")).toMatchObject([{ entry_id: expect.any(Number), referrer_id: ada, ruling: null }]);
    expect((await rows("waitlist_emails")).map(({ email }) => email)).toEqual(["ada@example.com", "grace@example.com"]);
    expect(await rows("email_outbox")).toHaveLength(2);
  },
);
