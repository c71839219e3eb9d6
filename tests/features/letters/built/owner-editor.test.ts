import { expect, test } from "vitest";
import { ownerBrowser } from "#tests/support/pool/owner.ts";
import { freshStorageForEachTest, needs } from "#tests/support/pool/start.ts";

/* The script of the pages on which owners write. */

needs("letters", "series");
freshStorageForEachTest();

/** Bytes, minified. */
const MOST = 60 * 1_024;

/** The page of a letter that is not saved yet. */
const NEW_LETTER = `/owner/letters/new?draft=${"0".repeat(32)}`;

const source = /<script src="(\/owner\/editor\.js\?v=\w+)" defer="">/;

test("the script is small and stays in the browser; without a session there is none", async () => {
  const browser = ownerBrowser();
  await browser.signIn();
  const [, path = ""] = source.exec((await browser.request(NEW_LETTER)).body) ?? [];
  const { status, headers, body } = await browser.request(path);
  expect([status, headers.get("Cache-Control")]).toEqual([200, "private, max-age=31536000, immutable"]);
  expect(headers.get("Content-Type")).toContain("text/javascript");
  expect(body.length).toBeLessThan(MOST);
  expect(body).not.toMatch(/innerHTML|srcdoc|\beval\(/);
  const old = await browser.request("/owner/editor.js?v=old");
  expect([old.body === body, old.headers.get("Cache-Control")]).toEqual([true, "no-store"]);
  expect((await ownerBrowser().request(path)).status).toBe(403);
});

test("only pages to write on have it, and their policy allows it without markup from scripts", async () => {
  const browser = ownerBrowser();
  await browser.signIn();
  for (const path of [NEW_LETTER, "/owner/series/new", "/owner/emails/welcome", "/owner/emails/confirm"]) {
    const { body, headers } = await browser.request(path);
    expect(source.test(body), path).toBe(true);
    const policy = headers.get("Content-Security-Policy")?.split("; ");
    expect(policy).toEqual(
      expect.arrayContaining(["script-src 'self'", "require-trusted-types-for 'script'", "trusted-types 'none'"]),
    );
  }
  for (const path of [
    "/owner",
    "/owner/entries",
    "/owner/letters",
    "/owner/series",
    "/owner/emails",
    "/owner/links",
    "/owner/log",
  ]) {
    const { body, headers } = await browser.request(path);
    expect([path, body.includes("<script"), headers.get("Content-Security-Policy")?.includes("script-src")]).toEqual([
      path,
      false,
      false,
    ]);
  }
});

test("a request of the script renews the session, and what is typed is shown as an email or with what is wrong", async () => {
  const browser = ownerBrowser();
  await browser.signIn();
  expect((await browser.post("/owner/session")).status).toBe(204);
  const shown = await browser.post("/owner/letters/email", { subject: "", body: "# Hello", "preview-scheme": "dark" });
  expect(shown.body).toContain(">Hello</h1>");
  const policy = shown.headers.get("Content-Security-Policy");
  expect(policy).toContain("sandbox allow-same-origin");
  expect(policy).not.toContain("script");
  expect(shown.headers.get("X-Frame-Options")).toBe("SAMEORIGIN");
  expect((await browser.post("/owner/letters/email", { body: "<b>" })).body).toContain(
    "Line 1: A letter cannot have HTML.",
  );
  expect((await ownerBrowser().post("/owner/session")).status).toBe(403);
});
