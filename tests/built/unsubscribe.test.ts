import { env } from "cloudflare:test";
import { beforeEach, describe, expect, test } from "vitest";
import { rejoinEntry } from "#app/waitlist/entries/entries.server.ts";
import { eraseEntry } from "#app/waitlist/entries/erase-entries.server.ts";
import {
  createEntry,
  emailedLinks,
  postForm,
  request,
  site,
  unsubscribeToken,
  visibleText,
} from "#tests/support/pool/built.ts";
import { db, freshStorageForEachTest, rows } from "#tests/support/pool/start.ts";

/* Unsubscribing by the page behind its link, and with one click in an email client. The link: links.slow.matrix.test.ts. */

const log = freshStorageForEachTest();

const oneClickForm = { "List-Unsubscribe": "One-Click" };

let id: number;
let page: string;

beforeEach(async () => {
  id = await createEntry("active", "ada@example.com");
  page = `${site.SITE_URL}/unsubscribe/${await unsubscribeToken(id)}`;
});

const status = async () => (await rows<{ status: string }>("waitlist_emails")).map((row) => row.status);

describe("the page", () => {
  test("cancels emails, has no button afterwards, and works again for someone who has rejoined", async () => {
    // One that waits for another attempt.
    await env.DB.exec("UPDATE email_outbox SET attempts = 1, first_attempt_at = 1");
    await postForm(page, {});
    expect(await rows("email_outbox")).toEqual([]);
    const { body } = await request(page);
    expect(visibleText(body)).toContain("You’re off the waitlist");
    expect(body).not.toMatch(/<main.*<button.*<\/main>/s);
    await rejoinEntry(db, id, 0);
    await postForm(page, {});
    expect(await status()).toEqual(["unsubscribed"]);
  });

  test("does not offer to join again once the waitlist is closed", async () => {
    const textOf = async (vars: object) => visibleText((await request(page, {}, vars)).body);
    const closed = { LAUNCH_URL: "https://app.example/" };
    await postForm(page, {});
    expect(await textOf({})).toContain("enter your address on our site again");
    expect(await textOf(closed)).toMatch(/in one of our emails\./);
    await eraseEntry(db, id, 0);
    expect(await textOf({})).toContain("join the waitlist again");
    expect(await textOf(closed)).not.toContain("join the waitlist");
  });
});

describe("one click in an email client (RFC 8058)", () => {
  test("has its own https link in the header of the email", async () => {
    const { oneClick } = await emailedLinks("ada@example.com");
    expect(oneClick).toMatch(/^https:\/\/waitlist-site\.example\/unsubscribe\/1\.[\w-]{43}\/one-click$/);
    expect((await postForm(oneClick, oneClickForm)).status).toBe(200);
    expect(await status()).toEqual(["unsubscribed"]);
  });

  test.each<[string, Record<string, string>]>([
    ["an email client, without cookies and Origin", {}],
    [
      "webmail in a browser",
      { Origin: "https://mail.example", Referer: "https://mail.example/inbox", Accept: "text/html" },
    ],
    ["webmail that hides its origin", { Origin: "null", Accept: "text/html" }],
    ["webmail of another site", { "Sec-Fetch-Site": "cross-site", Accept: "text/html" }],
  ])("works from %s, also a second time, without a redirect or a cookie", async (_from, headers) => {
    for (const _time of [1, 2]) {
      const body = new URLSearchParams(oneClickForm);
      const response = await request(`${page}/one-click`, { method: "POST", headers, body });
      expect([response.status, response.body]).toEqual([200, "You’ve unsubscribed.\n"]);
      expect(response.headers).toMatchObject({
        "content-type": "text/plain; charset=utf-8",
        "cache-control": "no-store",
      });
      expect(response.headers["set-cookie"]).toBeUndefined();
      expect(await status()).toEqual(["unsubscribed"]);
    }
    expect(log.filter((line) => line.includes("@") || line.includes(page.slice(-43)))).toEqual([]);
  });

  test("works with a multipart body, as some clients send it", async () => {
    const body = new FormData();
    body.set("List-Unsubscribe", "One-Click");
    expect((await request(`${page}/one-click`, { method: "POST", body })).status).toBe(200);
    expect(await status()).toEqual(["unsubscribed"]);
  });

  test("is a POST of at most 4 KB; opened in a browser it leads to the page with the button", async () => {
    const headers = { Origin: "https://mail.example" };
    for (const method of ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"]) {
      await request(`${page}/one-click`, { method, headers });
    }
    const large = { method: "POST", headers, body: "x".repeat(5_000) };
    expect((await request(`${page}/one-click`, large)).status).toBe(413);
    const opened = await request(`${page}/one-click`);
    expect([opened.status, opened.headers["location"]]).toEqual([303, new URL(page).pathname]);
    expect(await status()).toEqual(["active"]);
  });
});
