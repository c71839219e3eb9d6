import { describe, expect, test } from "vitest";
import * as switches from "#app/switches.ts";
import { scan } from "#tests/support/observatory.ts";
import { bindingsWith, send as sendTo } from "#tests/support/pool/built.ts";
import { freshStorageForEachTest, needs } from "#tests/support/pool/start.ts";

freshStorageForEachTest();

const SITE = "https://waitlist-site.example";

async function send(path: string, init: RequestInit = {}, vars: object = {}) {
  const url = new URL(path, SITE).href;
  return { url, ...(await sendTo(url, init, bindingsWith({ SITE_URL: SITE, ...vars }))) };
}

function post(body: BodyInit, headers: Record<string, string> = {}): RequestInit {
  return { method: "POST", headers: { Origin: SITE, ...headers }, body };
}

const json = { "Content-Type": "application/json" };
const form = (fields: Record<string, string>) => post(new URLSearchParams(fields));
const broken = { DB: {} };
const owned = { OWNER_EMAIL: "owner@waitlist-site.example" };
const everything = {
  GA_MEASUREMENT_ID: "G-TEST12345",
  META_PIXEL_ID: "123456789012345",
  CF_BEACON_TOKEN: "0123456789abcdef0123456789abcdef",
  TURNSTILE_SITE_KEY: "1x00000000000000000000AA",
  TURNSTILE_SECRET: "1x0000000000000000000000000000000AA",
  SURVEY_URL: "https://forms.example/s/stalls",
};

const tokenPages = ["/your-data/no-token", "/unsubscribe/no-token", "/confirm/no-token"];

/** Every kind of response: expected status, request and configuration. */
const kinds: [string, number, string, RequestInit?, object?][] = [
  ["a page", 200, "/"],
  ["a page with every service configured", 200, switches.survey ? "/survey" : "/", {}, everything],
  ["HEAD of a page", 200, "/", { method: "HEAD" }],
  ["a missing page", 404, "/no-such-page"],
  ...tokenPages.map((path): [string, number, string] => [`a page with a token, ${path}`, 404, path]),
  ["a one-click unsubscribe", 404, "/unsubscribe/no-token/one-click", { method: "POST" }],
  ["a sign-up", 201, "/api/signup", post('{"email":"ada@example.com"}', json)],
  ["an invalid sign-up", 422, "/api/signup", post('{"email":"ada"}', json)],
  ["malformed JSON", 400, "/api/signup", post("{", json)],
  ["a body that is not JSON", 415, "/api/signup", post("x")],
  [
    "a foreign origin",
    403,
    "/api/signup",
    { ...post("{}", json), headers: { ...json, Origin: "https://evil.example" } },
  ],
  ["a wrong method", 405, "/api/signup"],
  ["an unknown API path", 404, "/api/no-such-call"],
  ["a failing database", 503, "/api/signup", post('{"email":"ada@example.com"}', json), broken],
  ["a CSP report", 204, "/api/policy-reports", post("[]", { "Content-Type": "application/reports+json" })],
  ["a form", 201, "/", form({ email: "grace@example.com" })],
  ["an invalid form", 422, "/", form({ email: "grace" })],
  ["a form with a failing database", 503, "/", form({ email: "grace@example.com" }), broken],
  ["an oversized form", 413, "/", form({ email: "x".repeat(5_000) })],
  ["a consent choice", 303, "/cookie-policy", form({ choice: "accept" })],
  ["a wrong method on a page", 405, "/", { method: "PUT" }],
  ["a trailing slash", 301, "/privacy/"],
  ["another host", 301, "https://www.waitlist-site.example/"],
  ["data of a page", 200, "/privacy.data"],
  ["data of a missing page", 404, "/no-such-page.data"],
  ["the sitemap", 200, "/sitemap.xml"],
  ["robots.txt", 200, "/robots.txt"],
  ["llms.txt", 200, "/llms.txt"],
  ["the health check", 200, "/healthcheck"],
  ["a missing picture", 404, "/blog/pictures/none"],
  ["the owner's pages when signed out", 403, "/owner", {}, owned],
  ["a sign-in request from another address", 200, "/owner/sign-in", form({ email: "ada@example.com" }), owned],
  ["the owner's pages without a configured owner", 404, "/owner"],
  ["an invalid configuration", 500, "/", {}, { CONTACT_EMAIL: "" }],
];

test.each(kinds)("loses no points by Mozilla Observatory's rules: %s", async (_kind, status, path, init, vars) => {
  const response = await send(path, init, vars);
  expect(response.status).toBe(status);
  const { losses, score } = scan(response, { tls: true });
  expect(losses).toEqual([]);
  expect(score).toBeGreaterThanOrEqual(125);
  expect(response.headers.get("Cross-Origin-Opener-Policy")).toBe("same-origin");
  expect(response.headers.get("Permissions-Policy")).toContain("camera=()");
  expect(response.headers.get("Content-Security-Policy")).toMatch(/^default-src 'none'; .*frame-ancestors 'none'/);
});

describe("a page's content security policy", () => {
  test("has a fresh nonce per response, which every script carries", async () => {
    const [one, other] = [await send("/"), await send("/")];
    const nonce = nonceOf(one.headers);
    expect(nonce).toMatch(/^[\w+/]{22}==$/);
    expect(nonceOf(other.headers)).not.toBe(nonce);
    const scripts = one.body.match(/<script(?![^>]*ld\+json)[^>]*>/g) ?? [];
    expect(scripts.length).toBeGreaterThan(0);
    for (const script of scripts) expect(script).toContain(`nonce="${nonce}"`);
    expect(one.body).not.toMatch(/<[^>]+\s(style|on\w+)=/);
    expect(one.headers.get("Referrer-Policy")).toBe("strict-origin-when-cross-origin");
  });

  test("names no other origin by default, and requires Trusted Types", async () => {
    for (const path of ["/", "/survey", "/no-such-page", ...tokenPages]) {
      const policy = policyOf((await send(path)).headers);
      const others = [...policy.values()].flat().filter((source) => /:\/\/|^\/\//.test(source));
      expect(others, path).toEqual([]);
      expect(policy.get("require-trusted-types-for"), path).toEqual(["'script'"]);
      expect(policy.get("trusted-types"), path).toEqual(["'none'"]);
    }
  });

  test.each(["GA_MEASUREMENT_ID", "META_PIXEL_ID", "CF_BEACON_TOKEN", "TURNSTILE_SITE_KEY"] as const)(
    "drops Trusted Types for a service whose scripts do not support them: %s",
    async (name) => {
      const secret = name === "TURNSTILE_SITE_KEY" ? { TURNSTILE_SECRET: everything.TURNSTILE_SECRET } : {};
      const policy = policyOf((await send("/", {}, { ...secret, [name]: everything[name] })).headers);
      expect(policy.has("require-trusted-types-for")).toBe(false);
    },
  );

  describe("of the survey", () => {
    needs("survey");

    test("allows its frame on /survey only, and keeps Trusted Types there", async () => {
      const vars = { SURVEY_URL: everything.SURVEY_URL };
      const survey = policyOf((await send("/survey", {}, vars)).headers);
      expect(survey.get("frame-src")).toEqual(["https://forms.example"]);
      expect(survey.has("require-trusted-types-for")).toBe(true);
      for (const path of ["/", "/privacy", "/survey/more", "/no-such-page"]) {
        expect((await send(path, {}, vars)).headers.get("Content-Security-Policy"), path).not.toContain(
          "forms.example",
        );
      }
    });
  });

  test("names a service's origins only when configured, and none on token pages", async () => {
    const policy = policyOf((await send("/", {}, everything)).headers);
    expect(policy.get("connect-src")).toEqual(expect.arrayContaining(["https://cloudflareinsights.com"]));
    expect(policy.get("frame-src")).toEqual(["https://challenges.cloudflare.com"]);
    for (const path of tokenPages) {
      const token = policyOf((await send(path, {}, everything)).headers);
      expect(token.get("connect-src"), path).toEqual(["'self'"]);
      expect(token.get("img-src"), path).toEqual(["'self'", "data:"]);
    }
  });

  test("reports violations by both report-to and report-uri", async () => {
    const { headers } = await send("/");
    expect(headers.get("Reporting-Endpoints")).toBe('policy="/api/policy-reports"');
    expect(policyOf(headers).get("report-to")).toEqual(["policy"]);
    expect(policyOf(headers).get("report-uri")).toEqual(["/api/policy-reports"]);
  });
});

function policyOf(headers: Headers): Map<string, string[]> {
  const directives = headers.get("Content-Security-Policy")?.split("; ") ?? [];
  return new Map(directives.map((directive) => directive.split(" ")).map(([name = "", ...rest]) => [name, rest]));
}

function nonceOf(headers: Headers): string | undefined {
  return /'nonce-([^']*)'/.exec(headers.get("Content-Security-Policy") ?? "")?.[1];
}
