import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import * as switches from "#app/switches.ts";
import { read } from "#tests/support/pool/built.ts";
import { brokenD1 } from "#tests/support/pool/d1.ts";
import { freshStorageForEachTest } from "#tests/support/pool/start.ts";

const log = freshStorageForEachTest();

const brokenKv = { get: () => Promise.reject(new Error("KV GET failed: 500 secret detail")) };
const blog = switches.blog ? { blog: { state: "samples" } } : {};

test("both stores respond: 200, never cached", async () => {
  const { status, headers, body } = await read("/healthcheck");
  expect(status).toBe(200);
  const report = { ok: true, checks: { d1: "ok", kv: "ok", d1DailyQuota: "ok" }, version: env.VERSION.id, ...blog };
  expect(JSON.parse(body)).toEqual(report);
  expect(headers.get("Content-Type")).toContain("application/json");
  expect(headers.get("Cache-Control")).toBe("no-store");
  expect(log).toEqual([]);
});

test.each([
  ["D1 fails", { DB: brokenD1 }, { d1: "failed", kv: "ok" }],
  ["KV fails", { CACHE: brokenKv }, { d1: "ok", kv: "failed" }],
  ["both fail", { DB: brokenD1, CACHE: brokenKv }, { d1: "failed", kv: "failed" }],
])("%s: 503 naming it, with the reason only in the log", async (_, replaced, checks) => {
  const { status, headers, body } = await read("/healthcheck", replaced);
  expect(status).toBe(503);
  expect(JSON.parse(body)).toEqual({
    ok: false,
    checks: { ...checks, d1DailyQuota: "ok" },
    version: env.VERSION.id,
    ...blog,
  });
  expect(headers.get("Cache-Control")).toBe("no-store");
  const failed = Object.entries(checks).flatMap(([name, result]) => (result === "failed" ? [name] : []));
  const logged = log.map((entry) => JSON.parse(entry));
  const isOfCheck = ({ event }: { event: string }) => event !== "settings-unread";
  expect(
    logged
      .filter(isOfCheck)
      .map(({ check }) => check)
      .sort(),
  ).toEqual(failed.sort());
  expect(logged.every(({ error }) => error.length > 0)).toBe(true);
});

test("HEAD returns the same status", async () => {
  expect((await read("/healthcheck", {}, "HEAD")).status).toBe(200);
  expect((await read("/healthcheck", { DB: brokenD1 }, "HEAD")).status).toBe(503);
});
