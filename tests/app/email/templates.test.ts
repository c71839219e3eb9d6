import { describe, expect, test } from "vitest";
import { renderEntryEmail } from "#app/email/entry-emails.server.ts";

const context = {
  siteUrl: "https://stallwright.example",
  replyTo: "hello@stallwright.example",
  linkSecret: "0123456789abcdef0123456789abcdef",
};

describe.each(["welcome", "rejoin"] as const)("the %s email", (kind) => {
  const rendered = renderEntryEmail(kind, "ada@example.com", 7, context);

  test("links only to the site, the recipient's entry and the privacy page", async () => {
    const { text, html } = await rendered;
    for (const body of [text, html]) {
      const links = body.match(/https?:\/\/[^\s"<]+/g) ?? [];
      const known = links.map((link) => link.replace(/your-data\/7\.[\w-]{43}$/, "your-data/TOKEN"));
      const { siteUrl } = context;
      expect(new Set([...known, `${siteUrl}/privacy`])).toEqual(
        new Set([siteUrl, `${siteUrl}/privacy`, `${siteUrl}/your-data/TOKEN`]),
      );
      expect(body).not.toContain("ada@example.com");
    }
  });

  test("has the same content in text and in HTML", async () => {
    const { text, html } = await rendered;
    const normalise = (body: string) => body.replace(/\s+/g, " ");
    const visible = normalise(html.replace(/<[^>]+>/g, " ").replaceAll("&#x27;", "'"));
    const paragraphs = text.split(/\n+/).filter((line) => /^[A-Z].*[.?:]$/.test(line));
    expect(paragraphs.length).toBeGreaterThan(3);
    for (const paragraph of paragraphs) expect(visible).toContain(normalise(paragraph));
  });

  test("has one-click unsubscribe headers (RFC 8058) and asks autoresponders not to reply", async () => {
    const { to, replyTo, headers } = await rendered;
    expect({ to, replyTo }).toEqual({ to: "ada@example.com", replyTo: context.replyTo });
    expect(headers).toEqual({
      "Auto-Submitted": "auto-generated",
      "List-Unsubscribe": expect.stringMatching(
        /^<https:\/\/stallwright\.example\/your-data\/7\.[\w-]{43}\/unsubscribe>$/,
      ),
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    });
  });

  test("has no unsubscribe headers on a site without https, where they would be rejected", async () => {
    const { headers } = await renderEntryEmail(kind, "ada@example.com", 7, {
      ...context,
      siteUrl: "http://localhost:8787",
    });
    expect(headers).toEqual({ "Auto-Submitted": "auto-generated" });
  });
});
