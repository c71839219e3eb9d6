import { env } from "cloudflare:test";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { openApi } from "#app/features/api/v1/openapi.server.ts";
import { apiRoutes } from "#app/features/api/v1/routes/index.server.ts";
import { setSiteSettings, settingsOfCode } from "#app/server/config/settings.server.ts";
import { newsOnly } from "#app/waitlist/sign-up/consent-wording.ts";
import { checkSchema, type Document, readDocument } from "#tests/features/api/pool/api-contract.ts";
import { brokenD1, quotaD1 } from "#tests/support/pool/d1.ts";
import { mockFetch, turnstileKeys, unlimitedRates } from "#tests/support/pool/failures.ts";
import { playedKv } from "#tests/support/pool/played-kv.ts";
import { apiSite } from "#tests/support/pool/site.ts";
import { freshStorageForEachTest, needs } from "#tests/support/pool/start.ts";
import list from "../../../../public/disposable-domains.txt?raw";

/* Real responses of the public sign-up API, held against the OpenAPI document. */

needs("api");
freshStorageForEachTest();

/** Serves the list of throwaway domains. */
const ASSETS = { fetch: async () => new Response(list) } as unknown as Fetcher;

const noRoom = { limit: async () => ({ success: false }) };

const vars = {
  confirming: { CONFIRM_ADDRESSES: "on" },
  launched: { LAUNCH_URL: "https://app.market.example/" },
  refusing: { ASSETS, DISPOSABLE: "refuse" },
  limited: { CLIENT_LIMIT: noRoom },
  challenging: turnstileKeys,
  broken: { DB: brokenD1 },
  used: { DB: quotaD1({ read: 0, written: 0 }).d1, CACHE: playedKv(() => Date.now()).location()() },
  plain: {},
};

type Site = keyof typeof vars;

interface Sent {
  site?: Site;
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

async function send(path: string, { site = "plain", method = "POST", body, headers = {} }: Sent = {}) {
  const at = apiSite({ ...unlimitedRates, ...(vars[site] as Partial<Env>) });
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const init = {
    method,
    headers: { "Content-Type": "application/json", ...headers },
    ...(method === "GET" || body === undefined ? {} : { body: text }),
  };
  return at.request(path, init);
}

const email = "ada@example.com";

/** Codes by path and status; "" without one. `before` brings about what the request meets. */
const cases: [path: string, status: number, code: string, sent: Sent, before?: Sent & { path: string }][] = [
  ["/api/signup/wording", 200, "", { method: "GET" }],
  ["/api/signup/wording", 405, "method-not-allowed", { method: "POST" }],
  ["/api/signup", 201, "", { body: { email, source: "partner_site", wording: newsOnly.version, utm_source: "x" } }],
  ["/api/signup", 201, "", { site: "confirming", body: { email: "ada@gmial.com" } }],
  ["/api/signup", 201, "", { body: { email: "søren@example.com", wording: null } }],
  ["/api/signup", 409, "already-joined", { body: { email } }, { path: "/api/signup", body: { email } }],
  ["/api/signup", 410, "launched", { site: "launched", body: { email } }],
  ["/api/signup", 422, "invalid-email", { body: { email: "ada" } }],
  ["/api/signup", 422, "invalid-source", { body: { email, source: "A-B" } }],
  ["/api/signup", 422, "unknown-wording", { body: { email, wording: "2020-01" } }],
  ["/api/signup", 422, "disposable-email", { site: "refusing", body: { email: "ada@mailinator.com" } }],
  ["/api/signup", 429, "rate-limited", { site: "limited", body: { email } }],
  ["/api/signup", 403, "challenge-failed", { site: "challenging", body: { email, "cf-turnstile-response": "wrong" } }],
  ["/api/send-welcome", 200, "", { body: { email } }],
  ["/api/send-welcome", 422, "invalid-email", { body: { email: "ada" } }],
  ["/api/send-welcome", 429, "rate-limited", { site: "limited", body: { email } }],
  ["/api/answers", 200, "", { body: { answers: { role: "host" } } }],
  ["/api/answers", 403, "invalid-token", { body: { answerToken: "x", answers: { role: "host" } } }],
  ["/api/answers", 422, "unknown-question", { body: { answers: { colour: "red" } } }],
  ["/api/answers", 422, "invalid-answer", { body: { answers: { role: "admin" } } }],
  ["/api/answers", 422, "answer-too-long", { body: { answers: { town: "x".repeat(121) } } }],
  ["/api/answers", 429, "rate-limited", { site: "limited", body: { answers: { role: "host" } } }],
  ...["/api/signup", "/api/send-welcome", "/api/answers"].flatMap((path): typeof cases => [
    [path, 400, "malformed-json", { body: "[1]" }],
    [path, 403, "forbidden-origin", { body: {}, headers: { Origin: "null" } }],
    [path, 405, "method-not-allowed", { method: "GET" }],
    [path, 413, "too-large", { body: `"${"x".repeat(5_000)}"` }],
    [path, 415, "not-json", { body: "email=x", headers: { "Content-Type": "text/plain" } }],
  ]),
  ["/api/signup", 503, "unavailable", { site: "broken", body: { email } }],
  [
    "/api/send-welcome",
    503,
    "unavailable",
    { site: "used", body: { email } },
    { path: "/api/signup", site: "used", body: { email } },
  ],
  ["/api/answers", 503, "unavailable", { site: "broken", body: { answers: { role: "host" } } }],
];

test.each(cases)("%s responds with %i %s as documented: %j", async (path, status, code, sent, before) => {
  mockFetch(async () => Response.json({ success: false, "error-codes": ["invalid-input-response"] }));
  onTestFinished(() => void vi.restoreAllMocks());
  if (before !== undefined) await send(before.path, before);
  const response = await send(path, await withToken(path, sent));
  const text = await response.text();
  expect([response.status, JSON.parse(text).error?.code ?? ""], text).toEqual([status, code]);
  const { [path]: operations = {} } = (await readDocument()).paths;
  const operation = Object.entries(operations).find(([name]) => name !== "servers")?.[1];
  const documented = operation?.responses[status] ?? { description: "", headers: {} };
  expect(documented.description).toContain(code === "" ? "" : `\`${code}\`: `);
  for (const [name, { required }] of Object.entries(documented.headers ?? {}))
    if (required) expect(response.headers.get(name), name).not.toBeNull();
  const { "application/json": content } = documented.content ?? {};
  expect(response.headers.get("Content-Type")).toBe("application/json");
  checkSchema(await readDocument(), content?.schema ?? {}, text, `${path} ${status}`);
});

/** Answers need the token of someone who has joined, unless the case is about it. */
async function withToken(path: string, sent: Sent): Promise<Sent> {
  const { body } = sent;
  if (path !== "/api/answers" || typeof body !== "object" || body === null || "answerToken" in body) return sent;
  const { answerToken } = await (await send("/api/signup", { body: { email } })).json<{ answerToken: string }>();
  return { ...sent, body: { answerToken, ...body } };
}

test("the cases are all that the document has, and each is at the site itself", async () => {
  const { paths } = await readDocument();
  const own = Object.entries(paths).filter(([, operations]) => "servers" in operations);
  const documented = own.flatMap(([path, { servers, ...operations }]) => {
    expect(servers).toEqual([{ url: env.SITE_URL }]);
    return Object.values(operations).flatMap(({ responses }) =>
      Object.entries(responses).flatMap(([status, { description }]) => {
        const codes = Array.from(description.matchAll(/`([\w-]+)`: /g), ([, code]) => `${path} ${status} ${code}`);
        return codes.length === 0 ? [`${path} ${status} `] : codes;
      }),
    );
  });
  expect(documented.toSorted()).toEqual(
    [...new Set(cases.map(([path, status, code]) => `${path} ${status} ${code}`))].toSorted(),
  );
});

describe("the examples of the document", () => {
  test.each([
    ["with questions", settingsOfCode],
    ["without any", { ...settingsOfCode, questions: [] }],
  ])("fulfil its schemas on a site %s", (_, settings) => {
    setSiteSettings(settings);
    onTestFinished(() => setSiteSettings(settingsOfCode));
    // As readers get it: as JSON.
    const read = JSON.parse(JSON.stringify(openApi(apiRoutes)(env)())) as Document;
    const all = [...Object.values(read.paths), ...Object.values(read.webhooks)].flatMap(
      ({ servers: _, ...operations }) => Object.values(operations),
    );
    const bodies = all.flatMap(({ requestBody }) => requestBody?.content["application/json"] ?? []);
    expect(bodies.length).toBeGreaterThan(3);
    for (const { schema, example } of bodies)
      checkSchema(read, schema, JSON.stringify(example), JSON.stringify(example));
  });

  test("let someone join, and answer a question", async () => {
    const { paths } = await readDocument();
    const exampleOf = (path: string) =>
      paths[path]?.["post"]?.requestBody?.content["application/json"].example as object;
    const joined = await send("/api/signup", { body: exampleOf("/api/signup") });
    expect(joined.status).toBe(201);
    const { answerToken } = await joined.json<{ answerToken: string }>();
    expect((await send("/api/answers", { body: { ...exampleOf("/api/answers"), answerToken } })).status).toBe(200);
  });
});
