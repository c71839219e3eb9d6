import { expect, test } from "vitest";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { apiSite, errorBody, statusAndBody } from "#tests/support/pool/site.ts";
import list from "../../../public/disposable-domains.txt?raw";

freshStorageForEachTest();
const log = captureLog();

/** Serves the real list, as Cloudflare's static assets do. */
const ASSETS = {
  fetch: async (url: RequestInfo | URL) =>
    new URL(String(url)).pathname === "/disposable-domains.txt"
      ? new Response(list)
      : new Response("", { status: 404 }),
} as Fetcher;

const marks = async () =>
  (await rows("waitlist_emails")).map(({ email, disposable }) => [email, disposable] as [string, number]);

test("throwaway addresses join and are marked", async () => {
  const site = apiSite({ ASSETS });
  for (const email of ["ada@mailinator.com", "ada@box.yopmail.com", "ada@duck.com", "ada@example.com"]) {
    expect((await site.post("/api/signup", { email })).status).toBe(201);
  }
  expect(await marks()).toEqual([
    ["ada@mailinator.com", 1],
    ["ada@box.yopmail.com", 1],
    ["ada@duck.com", 0],
    ["ada@example.com", 0],
  ]);
});

test("with DISPOSABLE=refuse they are refused with a reason, except those of allowed domains", async () => {
  const vars = { DISPOSABLE: "refuse", DISPOSABLE_ALLOWED: "yopmail.com, maildrop.cc" };
  const site = apiSite({ ASSETS, ...vars } as Partial<Env>);
  expect(await statusAndBody(await site.post("/api/signup", { email: "ada@mailinator.com" }))).toEqual({
    status: 422,
    body: errorBody(
      "disposable-email",
      "This is a throwaway address. Please enter one that you’ll still read when we launch.",
    ),
  });
  expect(await rows("email_outbox")).toEqual([]);
  for (const email of ["ada@yopmail.com", "ada@example.com", "ada@user.mozmail.com", "ada@privaterelay.appleid.com"]) {
    expect((await site.post("/api/signup", { email })).status).toBe(201);
  }
  expect((await marks()).map(([, mark]) => mark)).toEqual([0, 0, 0, 0]);
  expect(await rows("blocked_attempts")).toMatchObject([{ reason: "address", count: 1 }]);
  expect(log.join()).not.toMatch(/ada@|mailinator/);
});

test("when the list cannot be read, a throwaway address joins unmarked, even with DISPOSABLE=refuse", async () => {
  const broken = { fetch: () => Promise.reject(new Error("assets are down")) } as unknown as Fetcher;
  const site = apiSite({ ASSETS: broken, DISPOSABLE: "refuse" } as Partial<Env>);
  expect((await site.post("/api/signup", { email: "ada@mailinator.com" })).status).toBe(201);
  expect(await marks()).toEqual([["ada@mailinator.com", 0]]);
});
