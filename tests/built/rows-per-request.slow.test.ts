import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { questions } from "#app/site.ts";
import * as switches from "#app/switches.ts";
import { encodeCode } from "#app/waitlist/entries/entry-code.server.ts";
import { answerTokenOf } from "#tests/support/pool/answer-token.ts";
import {
  bindingsWith,
  confirmToken,
  createEntry,
  dataToken,
  send as sendTo,
  unsubscribeToken,
} from "#tests/support/pool/built.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { documentedCosts, documentedHours, worstHours } from "#tests/support/pool/documented-costs.ts";
import { emailBinding } from "#tests/support/pool/emails.ts";
import { entryPoints, fillIn } from "#tests/support/pool/entry-points.ts";
import { OWNER } from "#tests/support/pool/owner.ts";
import { execute, freshStorageForEachTest, seedEntries } from "#tests/support/pool/start.ts";
import { answersToAll } from "#tests/support/site-answers.ts";

/*
 * What requests cost that anyone can send, compared with the tables in docs/abuse.md. D1 bills each row written, each
 * index entry written with it, and each row read.
 * https://developers.cloudflare.com/d1/platform/pricing/
 */

freshStorageForEachTest();

const ADA = "ada@example.com";
const HOUR = 3_600_000;

/** A site with 1,000 people on its list, whose welcome emails were sent: as many within the last hour as may be. */
async function busySite() {
  await seedEntries(1_000, Date.now() - 2 * HOUR);
  await execute("UPDATE email_outbox SET done_at = ?1 - iif(entry_id < 500, 0, ?2)", Date.now(), 2 * HOUR);
  const meter = meteredD1();
  const vars = {
    DB: meter.d1,
    EMAIL: emailBinding().binding,
    OWNER_EMAIL: OWNER,
    CONFIRM_ADDRESSES: "off",
    MAIL_PER_HOUR: "500",
  };

  /** Sends a request to a new isolate, and waits for what it does after its response. */
  async function send(path: string, init: RequestInit = {}, changed: object = {}) {
    meter.reset();
    const response = await sendTo(path, init, bindingsWith({ ...vars, ...changed }));
    // The row of settings is read once in 20 seconds, not for each request.
    const settings = meter.executed.filter(({ sql }) => sql.includes('from "settings"'));
    expect(settings.length).toBeLessThanOrEqual(1);
    const ofSettings = settings.reduce((sum, { rowsRead }) => sum + rowsRead, 0);
    expect(ofSettings).toBeLessThanOrEqual(1);
    const read = meter.rowsRead() - ofSettings;
    return { status: response.status, written: meter.rowsWritten(), read };
  }
  const post = (path: string, fields: Record<string, string> = {}, changed: object = {}) =>
    send(path, { method: "POST", body: new URLSearchParams(fields), headers: { Origin: env.SITE_URL } }, changed);
  const postJson = (path: string, body: object, changed: object = {}) => {
    const headers = { Origin: env.SITE_URL, "Content-Type": "application/json" };
    return send(path, { method: "POST", body: JSON.stringify(body), headers }, changed);
  };
  return { send, post, postJson, described: () => meter.executed.map(({ sql }) => sql).join("\n") };
}

type Site = Awaited<ReturnType<typeof busySite>>;
type Response = Awaited<ReturnType<Site["send"]>>;

const signUp = { email: ADA, source: "landing_page" };
const campaign = { utm_source: "fb_ads", utm_medium: "paid", utm_campaign: "spring", utm_term: "a", utm_content: "b" };
const refused = { CLIENT_LIMIT: { limit: async () => ({ success: false }) } };
/** The code of the first one on the list. */
const firstCode = () => encodeCode(1, env.HASH_KEY);
const oneAnswer = () => Object.fromEntries(Object.entries(answersToAll(0)).slice(0, 1));

/** A request of each kind in the table, after others that prepare it. */
const requests: Record<string, (site: Site) => Promise<Response>> = {
  "a sign-up": ({ postJson }) => postJson("/api/signup", { ...signUp, ...campaign, referrer_host: "news.example" }),
  "a sign-up through a personal link": async ({ postJson }) =>
    postJson("/api/signup", { ...signUp, ...campaign, referrer_host: "news.example", via: await firstCode() }),
  "confirming it": async ({ postJson, post }) => {
    const changed = { CONFIRM_ADDRESSES: "on" };
    await postJson("/api/signup", { ...signUp, via: await firstCode() }, changed);
    return post(`/confirm/${await confirmToken(1_001)}`, {}, changed);
  },
  "the email of a sign-up": async ({ postJson }) => {
    await postJson("/api/signup", signUp);
    return postJson("/api/send-welcome", { email: ADA });
  },
  "the email of a sign-up, over the send limit": async ({ postJson }) => {
    await env.DB.prepare("UPDATE email_outbox SET done_at = ? WHERE entry_id = 500").bind(Date.now()).run();
    await postJson("/api/signup", signUp);
    return postJson("/api/send-welcome", { email: ADA });
  },
  "a sign-up of someone on the list": async ({ postJson }) => {
    await createEntry("active", ADA);
    return postJson("/api/signup", signUp);
  },
  "a sign-up of someone who has left": async ({ postJson }) => {
    await createEntry("unsubscribed", ADA);
    return postJson("/api/signup", signUp);
  },
  "a blocked attempt": async ({ postJson }) => {
    await postJson("/api/signup", signUp, refused);
    return postJson("/api/signup", signUp, refused);
  },
  confirming: async ({ post }) => post(`/confirm/${await confirmToken(await createEntry("unconfirmed", ADA))}`),
  leaving: async ({ post }) =>
    post(`/your-data/${await dataToken(await createEntry("active", ADA))}`, { intent: "never" }),
  returning: async ({ post }) => {
    const page = `/your-data/${await dataToken(await createEntry("active", ADA))}`;
    await post(page, { intent: "never" });
    return post(page, { intent: "rejoin" });
  },
  erasing: async ({ post }) =>
    post(`/your-data/${await dataToken(await createEntry("active", ADA))}`, { intent: "erase" }),
  "a new link to an entry": async ({ post }) => {
    const expired = Date.now() - 31 * 24 * HOUR;
    const token = await dataToken(await createEntry("active", ADA), env.LINK_SECRET, expired);
    return post(`/your-data/${token}`, { intent: "new-link" });
  },
  "a sign-in link": ({ post }) => post("/owner/sign-in", { email: OWNER }),
  "a refused sign-in link": async ({ post }) => {
    await post("/owner/sign-in", { email: OWNER });
    await post("/owner/sign-in", { email: OWNER });
    return post("/owner/sign-in", { email: OWNER });
  },
  "an answer": async ({ postJson }) => {
    const answerToken = await answerTokenOf(await createEntry("active", ADA));
    return postJson("/api/answers", { answerToken, answers: oneAnswer() });
  },
  "a visit": async ({ send }) => {
    const headers = {
      "Sec-Fetch-Dest": "document",
      "Sec-Fetch-Site": "none",
      "User-Agent": "Mozilla/5.0 Firefox/150.0",
    };
    const visit = () => send("/?utm_source=fb_ads&utm_campaign=spring", { headers });
    await visit();
    return visit();
  },
};

/** What this site does not have. */
const leftOut = [
  switches.visits ? "" : "a visit",
  questions.length > 0 ? "" : "an answer",
  ...(switches.referrals ? [] : ["a sign-up through a personal link", "confirming it"]),
];

/** Requests that write nothing however often they are sent: a read of every URL, and every form sent again. */
async function repeated({ send, post, postJson }: Site): Promise<Record<string, Response>> {
  const id = await createEntry("active", ADA);
  const tokens: Record<string, string> = { unsubscribe: await unsubscribeToken(id), confirm: await confirmToken(id) };
  const page = await dataToken(id);
  const measured: Record<string, Response> = {};
  for (const path of [...entryPoints.pages, ...entryPoints.api, ...entryPoints.owner]) {
    const token = tokens[path.split("/")[1] ?? ""] ?? page;
    const filled = fillIn(path, { token, id: "1", name: "none" });
    measured[`GET ${path}`] = await send(filled);
    measured[`GET ${path}, anything`] = await send(fillIn(path, { token: "0".repeat(64), id: "1", name: "none" }));
    if (path.startsWith("/owner") && path !== "/owner/sign-in") measured[`POST ${path}`] = await post(filled);
  }
  const answerToken = await answerTokenOf(id);
  const again: Record<string, () => Promise<Response>> = {
    "POST /": () => post("/", signUp),
    "POST /api/signup": () => postJson("/api/signup", signUp),
    "POST /api/send-welcome": () => postJson("/api/send-welcome", signUp),
    "POST /api/answers": () => postJson("/api/answers", { answerToken, answers: oneAnswer() }),
    "POST /api/policy-reports": () => send("/api/policy-reports", { method: "POST", headers: reports, body: "[]" }),
    "POST /api/webhooks/resend": () =>
      postJson("/api/webhooks/resend", {}, { RESEND_WEBHOOK_SECRET: `whsec_${"MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0"}` }),
    "POST /confirm": () => post(`/confirm/${tokens["confirm"]}`),
    "POST /your-data, show": () => post(`/your-data/${page}`, { intent: "show-data" }),
    "POST /your-data, rejoin": () => post(`/your-data/${page}`, { intent: "rejoin" }),
    "POST /your-data/export": () => post(`/your-data/${page}/export`),
    "POST /unsubscribe": () => post(`/unsubscribe/${tokens["unsubscribe"]}`),
    "POST /unsubscribe/one-click": () => post(`/unsubscribe/${tokens["unsubscribe"]}/one-click`),
    "POST /your-data, never": () => post(`/your-data/${page}`, { intent: "never" }),
    "POST /your-data, erase": () => post(`/your-data/${page}`, { intent: "erase" }),
    "POST /owner/sign-in": () => post("/owner/sign-in", { email: ADA }),
  };
  for (const [name, repeat] of Object.entries(again)) {
    await repeat();
    measured[name] = await repeat();
  }
  return measured;
}

const reports = { Origin: env.SITE_URL, "Content-Type": "application/reports+json" };

test.each(Object.keys(requests).filter((name) => !leftOut.includes(name)))(
  "%s writes and reads as many rows as documented",
  async (name) => {
    const site = await busySite();
    const { status, written, read } = (await requests[name]?.(site)) ?? { status: 0, written: -1, read: -1 };
    const cost = documentedCosts.get(name) ?? { written: -1, read: -1 };
    expect(status, name).toBeLessThan(500);
    expect({ name, written }, site.described()).toEqual({ name, written: cost.written });
    expect(read, site.described()).toBeLessThanOrEqual(cost.read);
    expect(cost.read, "more than documented").toBeLessThanOrEqual(2 * read + 5);
  },
);

test("nothing else writes, and reads more rows than documented", async () => {
  const measured = Object.entries(await repeated(await busySite()));
  const cost = documentedCosts.get("anything else, and each of these again") ?? { written: -1, read: -1 };
  expect(measured.filter(([, { status }]) => status === 500)).toEqual([]);
  expect(measured.filter(([, { written }]) => written > cost.written)).toEqual([]);
  expect(Math.max(...measured.map(([, { read }]) => read))).toBeLessThanOrEqual(cost.read);
});

test("what an hour can cost follows from the limits", () => {
  expect(documentedHours).toEqual(worstHours());
});
