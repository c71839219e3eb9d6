import { describe, expect, test } from "vitest";
import { renderEntryEmail } from "#app/email/entry-emails.server.ts";

const facts = {
  siteUrl: "https://stallwright.example",
  replyTo: "hello@stallwright.example",
  linkSecret: "0123456789abcdef0123456789abcdef",
};

describe.each(["welcome", "rejoin"] as const)("the %s mail", (kind) => {
  const written = renderEntryEmail(kind, "ada@example.com", 7, facts);

  test("links to the site, the reader's own entry and the privacy page, and nowhere else", async () => {
    const { text, html } = await written;
    for (const body of [text, html]) {
      const links = body.match(/https?:\/\/[^\s"<]+/g) ?? [];
      const known = links.map((link) => link.replace(/your-data\/7\.[\w-]{43}$/, "your-data/TOKEN"));
      const { siteUrl } = facts;
      expect(new Set([...known, `${siteUrl}/privacy`])).toEqual(
        new Set([siteUrl, `${siteUrl}/privacy`, `${siteUrl}/your-data/TOKEN`]),
      );
      expect(body).not.toContain("ada@example.com");
    }
  });

  test("says the same in text and in HTML", async () => {
    const { text, html } = await written;
    const words = (body: string) => body.replace(/\s+/g, " ");
    const visible = words(html.replace(/<[^>]+>/g, " ").replaceAll("&#x27;", "'"));
    const paragraphs = text.split(/\n+/).filter((line) => /^[A-Z].*[.?:]$/.test(line));
    expect(paragraphs.length).toBeGreaterThan(3);
    for (const paragraph of paragraphs) expect(visible).toContain(words(paragraph));
  });

  test("carries the one-click unsubscribe of RFC 8058, and asks not to be answered by machines", async () => {
    const { to, replyTo, headers } = await written;
    expect({ to, replyTo }).toEqual({ to: "ada@example.com", replyTo: facts.replyTo });
    expect(headers).toEqual({
      "Auto-Submitted": "auto-generated",
      "List-Unsubscribe": expect.stringMatching(
        /^<https:\/\/stallwright\.example\/your-data\/7\.[\w-]{43}\/unsubscribe>$/,
      ),
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    });
  });

  test("carries none on a site without https, where mail with it is refused", async () => {
    const { headers } = await renderEntryEmail(kind, "ada@example.com", 7, {
      ...facts,
      siteUrl: "http://localhost:8787",
    });
    expect(headers).toEqual({ "Auto-Submitted": "auto-generated" });
  });
});
