import { expect, test } from "vitest";
import { apiSite } from "#tests/support/pool/site.ts";
import { freshStorageForEachTest } from "#tests/support/pool/start.ts";

const log = freshStorageForEachTest();
const PATH = "/api/policy-reports";

/** Sent by Firefox and Safari, and by Chromium over http. */
const legacyReport = {
  "csp-report": {
    "document-uri": "https://waitlist-site.example/your-data/secret-token?email=ada@example.com",
    "effective-directive": "script-src-elem",
    "blocked-uri": "https://evil.example/x.js?ada@example.com",
    "source-file": "https://waitlist-site.example/assets/a.js",
    "line-number": 3,
    "script-sample": "ada@example.com",
  },
};

/** Sent by Chromium over https. */
const reportingApiReport = {
  type: "csp-violation",
  age: 10,
  url: "https://waitlist-site.example/",
  body: {
    documentURL: "https://waitlist-site.example/privacy",
    effectiveDirective: "style-src-attr",
    blockedURL: "inline",
    sourceFile: null,
    lineNumber: null,
    sample: "ada@example.com",
  },
};

function report(body: unknown, type = "application/csp-report") {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return apiSite().request(PATH, { method: "POST", headers: { "Content-Type": type }, body: text });
}

test("both report formats are logged without personal data", async () => {
  expect((await report(legacyReport)).status).toBe(204);
  expect(
    (await report([reportingApiReport, { type: "deprecation", body: {} }], "application/reports+json")).status,
  ).toBe(204);
  const violation = { level: "warn", event: "csp-violation" };
  const script = { directive: "script-src-elem", blocked: "https://evil.example", source: "/assets/a.js", line: 3 };
  const style = { directive: "style-src-attr", blocked: "inline", source: "", line: 0 };
  expect(log.map((line) => JSON.parse(line))).toEqual([
    { ...violation, ...script, page: "/your-data/[token]" },
    { ...violation, ...style, page: "/privacy" },
  ]);
});

test.each([
  ["/your-data%2fSECRET", "/your-data/[token]"],
  ["/%75nsubscribe%2FSECRET/one-click", "/unsubscribe/[token]/one-click"],
  ["/owner/sign-in/SECRET", "/owner/sign-in/[token]"],
  ["/owner%2Fsign-in%2FSECRET", "/owner/sign-in/[token]"],
  ["/ada%40example.com", "[address]"],
  ["/ada%2540example.com", "[address]"],
  ["/%E0%A4%A/roadmap", "/%E0%A4%A/roadmap"],
])("the path %s is logged as %s", async (path, logged) => {
  const url = `https://waitlist-site.example${path}`;
  await report({ "csp-report": { ...legacyReport["csp-report"], "document-uri": url, "source-file": url } });
  expect(log.map((line) => JSON.parse(line))).toMatchObject([{ page: logged, source: logged }]);
});

test.each(["", "{", "null", "[]", "[[[]]]", '"text"', '{"csp-report":null}', '{"csp-report":{"line-number":"x"}}'])(
  "the malformed report %s is accepted and ignored",
  async (body) => {
    expect((await report(body)).status).toBe(204);
    expect(log).toEqual([]);
  },
);

test("long values are truncated and addresses redacted", async () => {
  const hostile = {
    "effective-directive": `ada@example.com ${"x".repeat(5_000)}`,
    "blocked-uri": "data:text/html,ada",
  };
  await report({ "csp-report": hostile });
  expect(log).toHaveLength(1);
  expect(log[0]?.length).toBeLessThan(500);
  expect(JSON.parse(log[0] ?? "")).toMatchObject({ blocked: "data:", page: "", source: "" });
  expect(log[0]).not.toContain("ada");
});

const cspReport = { "Content-Type": "application/csp-report" };

test.each<[string, number, string, RequestInit]>([
  ["a wrong method", 405, "method-not-allowed", { method: "GET" }],
  ["another content type", 415, "not-reports", { body: "{}", headers: { "Content-Type": "text/plain" } }],
  ["a large body", 413, "too-large", { body: "x".repeat(17_000) }],
  [
    "another origin",
    403,
    "forbidden-origin",
    { body: "{}", headers: { ...cspReport, Origin: "https://evil.example" } },
  ],
])("%s is rejected", async (_name, status, code, init) => {
  const response = await apiSite().request(PATH, { method: "POST", headers: cspReport, ...init });
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ ok: false, error: { code } });
});
