import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { waysToHelp } from "#app/switches.ts";
import { createRoleToken } from "#app/waitlist/role-token.server.ts";
import { roles } from "#app/waitlist/roles.ts";
import { brokenD1 } from "#tests/support/pool/broken-d1.ts";
import { read } from "#tests/support/pool/built-page.ts";
import { builtWorker, messageOf } from "#tests/support/pool/built-site.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { captureLog } from "#tests/support/pool/log.ts";

/* The question after joining, for browsers without JavaScript. */

freshStorageForEachTest();
const log = captureLog();

/** Posts a form of the landing page as a browser without JavaScript does. */
async function post(fields: Record<string, string>, { headers = {}, replaced = {} } = {}) {
  const execution = createExecutionContext();
  const init = { method: "POST", headers: { Origin: env.SITE_URL, ...headers }, body: new URLSearchParams(fields) };
  const response = await builtWorker.fetch(new Request(`${env.SITE_URL}/`, init), { ...env, ...replaced }, execution);
  const html = await response.text();
  await waitOnExecutionContext(execution);
  return { status: response.status, headers: response.headers, html, questions: questionsIn(html) };
}

/** The questions on a page. */
function questionsIn(html: string) {
  return Array.from(html.matchAll(/<form[^>]*class="[^"]*\brole-question".*?<\/form>/gs), ([form]) => {
    const buttons = Array.from(form.matchAll(/<button([^>]*)>([^<]*)/g), ([, tag = "", words]) => ({ tag, words }));
    const fields = Array.from(form.matchAll(/<input[^>]*>/g), ([tag]) => [
      attribute(tag, "name"),
      attribute(tag, "value"),
    ]);
    return {
      tag: /<form[^>]*>/.exec(form)?.[0] ?? "",
      answers: buttons.map(({ tag, words }) => [attribute(tag, "name"), attribute(tag, "value"), words]),
      pressed: buttons.filter(({ tag }) => attribute(tag, "aria-pressed") === "true").map(({ words }) => words),
      message: /<p data-status="\w+">([^<]*)/.exec(form)?.[1],
      fields: Object.fromEntries(fields) as Record<string, string>,
    };
  });
}

function attribute(tag: string, name: string): string | undefined {
  return new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1];
}

const answers = Object.entries(roles).map(([role, words]) => ["role", role, words]);

/** Joins and returns the hidden fields of the question. */
async function join(email: string, fields: Record<string, string> = {}): Promise<Record<string, string>> {
  return (await post({ email, source: "landing_page", ...fields })).questions[0]?.fields ?? {};
}

const stored = async () => (await rows<{ role: string | null }>("waitlist_emails")).map(({ role }) => role);

test("the response to a sign-up shows the message and the question, as a form of its own with a button per role", async () => {
  const { status, html, questions } = await post({ email: "ada@example.com", source: "landing_page" });
  expect(status).toBe(201);
  expect(messageOf(html)).toEqual({ status: "success", text: "Thanks for joining! Please check your email." });
  expect(questions).toHaveLength(1);
  expect(questions[0]).toMatchObject({ answers, pressed: [], message: undefined });
  expect(questions[0]?.tag).toContain('method="post"');
  expect(html.match(/<form[^>]*>(?:(?!<\/form>).)*<form/s)).toBeNull();
});

test("the question is under the form that was sent", async ({ skip }) => {
  skip(!waysToHelp, "The second form is switched off in app/switches.ts.");
  const { html } = await post({ email: "ada@example.com", source: "ways_to_help_section" });
  expect(html.indexOf("role-question")).toBeGreaterThan(html.indexOf('id="join-help"'));
  expect(questionsIn(html)[0]?.fields).toMatchObject({ source: "ways_to_help_section" });
});

test("people are not asked before they have joined, or when their address is listed or invalid", async () => {
  await join("ada@example.com");
  expect(questionsIn((await read("/")).body)).toEqual([]);
  for (const email of ["ada@example.com", "ada@example"]) expect((await post({ email })).questions).toEqual([]);
});

test("a press stores the answer and thanks; another one changes it", async () => {
  let fields = await join("ada@example.com");
  for (const role of ["stallholder", "both"] as const) {
    const { status, html, questions } = await post({ ...fields, role });
    expect(status).toBe(200);
    expect(await stored()).toEqual([role]);
    expect(questions).toMatchObject([{ pressed: [roles[role]], message: expect.stringContaining("Thank you") }]);
    expect(messageOf(html)).toEqual({ status: "idle", text: "" });
    fields = questions[0]?.fields ?? {};
  }
});

test("a bot and a former subscriber see what a new person sees", async () => {
  const person = await post({ ...(await join("ada@example.com")), role: "host" });
  await env.DB.exec("UPDATE waitlist_emails SET status = 'unsubscribed', unsubscribed_at = 1");
  const former = await post({ ...(await join("ada@example.com")), role: "host" });
  const bot = await post({ ...(await join("bot@example.com", { pitch_remark: "x" })), role: "host" });
  const shown = ({ status, html }: typeof person) => [
    status,
    html.replace(/[\w-]{59}=/g, "TOKEN").replace(/nonce="[^"]+"|nonce-[\w+/=-]+/g, "NONCE"),
  ];
  expect(shown(former)).toEqual(shown(person));
  expect(shown(bot)).toEqual(shown(person));
  expect(await rows("waitlist_emails")).toMatchObject([{ role: "host", status: "unsubscribed" }]);
});

describe("an answer that is not stored", () => {
  test("after an hour, or with a made-up token: 403, a sentence, and no more buttons", async () => {
    await join("ada@example.com");
    const expired = await createRoleToken(1, Date.now() - 3_600_000, env.LINK_SECRET);
    for (const roleToken of [expired, "", '"><script>alert(1)</script>']) {
      const { status, html, questions } = await post({ roleToken, role: "host", source: "landing_page" });
      expect(status).toBe(403);
      expect(questions).toMatchObject([{ answers: [], message: expect.stringContaining("This question has closed.") }]);
      expect(html).not.toContain("<script>alert");
    }
    expect(await stored()).toEqual([null]);
  });

  test("an unknown role: 422 and a sentence; the buttons stay", async () => {
    const { status, questions } = await post({ ...(await join("ada@example.com")), role: "visitor" });
    expect(status).toBe(422);
    expect(questions).toMatchObject([{ answers, message: "Please choose one of the answers." }]);
  });

  test("from another site: 403", async () => {
    const fields = { ...(await join("ada@example.com")), role: "host" };
    expect((await post(fields, { headers: { Origin: "https://evil.example" } })).status).toBe(403);
    expect(await stored()).toEqual([null]);
  });

  test("while the database fails: 503, and a sentence with the reference of the log line", async () => {
    const fields = { ...(await join("ada@example.com")), role: "host" };
    const { status, questions } = await post(fields, { replaced: { DB: brokenD1 } });
    expect(status).toBe(503);
    const message = questions[0]?.message ?? "";
    expect(message).toContain("your answer was not stored");
    const reference = /Reference (\w{4}-\w{4})/.exec(message)?.[1];
    expect(log.map((line) => JSON.parse(line)).filter((line) => line.reference === reference)).toHaveLength(1);
  });
});

test("no GET stores an answer", async () => {
  const fields = new URLSearchParams({ ...(await join("ada@example.com")), role: "host" });
  for (const path of [`/?${fields}`, `/api/role?${fields}`]) await read(path);
  expect(await stored()).toEqual([null]);
});
