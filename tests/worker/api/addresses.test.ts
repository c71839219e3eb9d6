import { describe, expect, test } from "vitest";
import { apiSite, errorBody, statusAndBody } from "#tests/support/pool/site.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/start.ts";
import list from "../../../public/disposable-domains.txt?raw";

/* Addresses that join and get a hint, and those that are marked or refused. */

const log = freshStorageForEachTest();
const site = apiSite();

const post = async (fields: object) => statusAndBody(await site.post("/api/signup", fields));
const pitch_remark = "https://spam.example";

/** Tokens are never equal; tests/worker/api/answers.test.ts compares their form. */
const withoutToken = ({ status, body }: { status: number; body: unknown }) => {
  return { status, body: { ...(body as object), answerToken: null, via: null } };
};

describe("a suggestion", () => {
  const suggestion = "ada@gmail.com";

  test("of a correction comes with a misspelt address, which joins as typed, and with no other", async () => {
    expect(await post({ email: "Ada@Gmial.com" })).toMatchObject({ status: 201, body: { ok: true, suggestion } });
    expect((await rows("waitlist_emails")).map(({ email }) => email)).toEqual(["ada@gmial.com"]);
    expect((await post({ email: suggestion })).body).not.toHaveProperty("suggestion");
  });

  test("comes with errors about the address, too, and with no others", async () => {
    await post({ email: "ada@gmial.com" });
    const listed = { ok: false, error: { code: "already-joined" }, suggestion };
    expect(await post({ email: "ada@gmial.com" })).toMatchObject({ status: 409, body: listed });
    const invalid = { ok: false, error: { code: "invalid-email" }, suggestion };
    expect(await post({ email: "ada@gmail" })).toMatchObject({ status: 422, body: invalid });
    const other = await post({ email: "ada@gmial.com", source: "<b>" });
    expect(other).toMatchObject({ status: 422, body: { error: { code: "invalid-source" } } });
    expect(other.body).not.toHaveProperty("suggestion");
  });

  test("is the same for a filled honeypot", async () => {
    const real = await post({ email: "ada@gmial.com" });
    expect(real).toMatchObject({ body: { suggestion } });
    expect(withoutToken(await post({ email: "ada@gmial.com", pitch_remark }))).toEqual(withoutToken(real));
  });
});

describe("a note that no email can be sent", () => {
  const note = expect.stringContaining("letters such as ø");

  test("comes with an address with a letter such as ø before the @, also for a filled honeypot", async () => {
    const pretended = await post({ email: "søren@example.com", pitch_remark });
    const real = await post({ email: "Søren@Example.com" });
    expect(real).toMatchObject({ status: 201, body: { ok: true, note } });
    expect(withoutToken(pretended)).toEqual(withoutToken(real));
    expect(await rows("waitlist_emails")).toMatchObject([{ email: "søren@example.com" }]);
  });

  test("comes neither with the second sign-up nor with other addresses", async () => {
    await post({ email: "søren@example.com" });
    for (const email of ["søren@example.com", "ada@example.com", "ada@piñata.es"])
      expect((await post({ email })).body).not.toHaveProperty("note");
  });
});

describe("a throwaway address", () => {
  /** Serves the real list, as Cloudflare's static assets do. */
  const ASSETS = {
    fetch: async (url: RequestInfo | URL) =>
      new URL(String(url)).pathname === "/disposable-domains.txt"
        ? new Response(list)
        : new Response("", { status: 404 }),
  } as Fetcher;

  const marks = async () => (await rows("waitlist_emails")).map(({ disposable }) => disposable);

  test("joins and is marked", async () => {
    const site = apiSite({ ASSETS });
    for (const email of ["ada@mailinator.com", "ada@box.yopmail.com", "ada@duck.com", "ada@example.com"])
      expect((await site.post("/api/signup", { email })).status).toBe(201);
    expect(await marks()).toEqual([1, 1, 0, 0]);
  });

  test("is refused with DISPOSABLE=refuse, with a reason, unless its domain is allowed", async () => {
    const vars = { DISPOSABLE: "refuse", DISPOSABLE_ALLOWED: "yopmail.com, maildrop.cc" };
    const site = apiSite({ ASSETS, ...vars } as Partial<Env>);
    expect(await statusAndBody(await site.post("/api/signup", { email: "ada@mailinator.com" }))).toEqual({
      status: 422,
      body: errorBody("disposable-email", expect.stringContaining("throwaway")),
    });
    expect(await rows("email_outbox")).toEqual([]);
    for (const email of [
      "ada@yopmail.com",
      "ada@example.com",
      "ada@user.mozmail.com",
      "ada@privaterelay.appleid.com",
    ]) {
      expect((await site.post("/api/signup", { email })).status).toBe(201);
    }
    expect(await marks()).toEqual([0, 0, 0, 0]);
    expect(await rows("blocked_attempts")).toMatchObject([{ reason: "address", count: 1 }]);
    expect(log.join()).not.toMatch(/ada@|mailinator/);
  });
});
