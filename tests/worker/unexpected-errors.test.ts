import { createExecutionContext, env } from "cloudflare:test";
import { expect, test } from "vitest";
import { freshStorageForEachTest } from "#tests/support/pool/start.ts";
import { createApp } from "#worker/app.ts";
import { reportFailedRun } from "#worker/scheduled.ts";

const log = freshStorageForEachTest();

/** As Drizzle throws it: its message holds the statement's parameters. */
function queryError(): Error {
  const error = new Error("Failed query: insert into waitlist_emails\nparams: ada@example.com", {
    cause: new Error("D1_ERROR: no such table"),
  });
  error.name = "DrizzleQueryError";
  return error;
}

test("an error outside of pages and API gets a reference, and its log line holds no address and no path", async () => {
  const app = createApp(() => Promise.reject(queryError()));
  const url = `${env.SITE_URL}/your-data/1.secret-token`;
  const response = await app.fetch(new Request(url), env, createExecutionContext());
  expect(response.status).toBe(500);
  const body = await response.text();
  expect(body).toMatch(/Error [0-9A-Z]{4}-[0-9A-Z]{4}/);
  expect(response.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
  expect(response.headers.get("Cache-Control")).toBe("no-store");
  expect(log.map((line) => JSON.parse(line))).toMatchObject([{ event: "request-failed", method: "GET" }]);
  expect(log.join()).toContain("D1_ERROR: no such table");
  expect(log.join() + body).not.toMatch(/ada@|secret-token/);
});

test("a failed cron job leaves no address in the log or in what the platform records", async () => {
  const failure = await reportFailedRun(() => Promise.reject(queryError())).then(
    () => null,
    (error: Error) => `${error.stack} ${error.cause}`,
  );
  expect(failure).toContain("scheduled-failed");
  expect(log.map((line) => JSON.parse(line))).toMatchObject([{ event: "scheduled-failed" }]);
  expect(failure + log.join()).not.toContain("ada@");
});
