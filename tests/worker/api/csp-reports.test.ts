import { expect, test } from "vitest";
import { createViolationLog, LINES_PER_MINUTE, parseCspReports } from "#app/server/csp-reports.server.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { apiSite } from "#tests/support/pool/site.ts";

const log = captureLog();
const PATH = "/api/policy-reports";

/** As Firefox and Safari send it, and Chromium without TLS. */
const oldReport = {
  "csp-report": {
    "document-uri": "https://stallwright.example/your-data/secret-token?email=ada@example.com",
    "effective-directive": "script-src-elem",
    "blocked-uri": "https://evil.example/x.js?ada@example.com",
    "source-file": "https://stallwright.example/assets/a.js",
    "line-number": 3,
    "script-sample": "ada@example.com",
  },
};

/** As Chromium sends it over https. */
const newReport = {
  type: "csp-violation",
  age: 10,
  url: "https://stallwright.example/",
  body: {
    documentURL: "https://stallwright.example/privacy",
    effectiveDirective: "style-src-attr",
    blockedURL: "inline",
    sourceFile: null,
    lineNumber: null,
    sample: "ada@example.com",
  },
};

function report(body: unknown, type = "application/csp-report", headers: Record<string, string> = {}) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return apiSite().request(PATH, { method: "POST", headers: { "Content-Type": type, ...headers }, body: text });
}

test("both kinds of reports are logged, without anything that names a visitor", async () => {
  expect((await report(oldReport)).status).toBe(204);
  expect((await report([newReport, { type: "deprecation", body: {} }], "application/reports+json")).status).toBe(204);
  expect(log.map((line) => JSON.parse(line))).toEqual([
    {
      level: "warn",
      event: "csp-violation",
      directive: "script-src-elem",
      blocked: "https://evil.example",
      page: "/your-data/[token]",
      source: "/assets/a.js",
      line: 3,
    },
    {
      level: "warn",
      event: "csp-violation",
      directive: "style-src-attr",
      blocked: "inline",
      page: "/privacy",
      source: "",
      line: 0,
    },
  ]);
});

test("whatever is no report is answered and forgotten", async () => {
  for (const body of [
    "",
    "{",
    "null",
    "[]",
    "[[[]]]",
    '"text"',
    { "csp-report": null },
    { "csp-report": { "line-number": "x" } },
  ]) {
    expect((await report(body)).status).toBe(204);
  }
  expect(log).toEqual([]);
});

test("long and hostile values are cut and blotted out", async () => {
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

test("a flood is capped: so many lines a minute, and one that says so", () => {
  const violations = createViolationLog();
  const flood = parseCspReports(Array(50).fill(newReport));
  expect(flood).toHaveLength(10);
  for (let second = 0; second < 60; second += 1) violations.note(flood, second * 1_000);
  const ofOneMinute = [...Array(LINES_PER_MINUTE).fill("csp-violation"), "csp-violations-capped"];
  expect(log.map((line) => JSON.parse(line).event)).toEqual(ofOneMinute);
  violations.note(flood, 60_000);
  expect(log).toHaveLength(ofOneMinute.length + flood.length);
});

test.each<[string, number, string, RequestInit & { headers?: Record<string, string> }]>([
  ["a wrong method", 405, "method-not-allowed", { method: "GET" }],
  ["no report by its type", 415, "not-reports", { method: "POST", body: "{}" }],
  ["too much", 413, "too-large", { method: "POST", body: "x".repeat(17_000) }],
  [
    "a foreign origin",
    403,
    "forbidden-origin",
    { method: "POST", body: "{}", headers: { Origin: "https://evil.example" } },
  ],
])("%s is refused", async (_what, status, code, init) => {
  const type = status === 415 ? "text/plain" : "application/csp-report";
  const response = await apiSite().request(PATH, { ...init, headers: { "Content-Type": type, ...init.headers } });
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ ok: false, error: { code } });
});
