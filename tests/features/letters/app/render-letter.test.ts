import { describe, expect, test } from "vitest";
import { renderEmail } from "#app/email/render-email.server.ts";
import { checkLetter } from "#app/features/letters/send/check-letter.server.ts";
import { prepareLetter, renderLetter } from "#app/features/letters/send/render-letter.server.ts";
import { site } from "#app/site.ts";
import { claimed, emailContext as context, subscriber } from "#tests/support/pool/all-emails.ts";
import { words } from "#tests/support/words.ts";

const letter = {
  reply_to: null,
  subject: "The market opens & more",
  preview_line: "Your stall <is> ready",
  body: [
    "# The market opens",
    "Hello, **dear** *pioneer*.  \nSee [the map](https://map.example/?a=1&b=2), or [leave]({{unsubscribe}}).",
    "**[Open the site]({{site}}/roadmap)**",
    "![A stall & a host](https://pictures.example/stall.png)",
    "- First\n- Second\n  1. Inner",
    "> Quoted",
    "---",
    "[Write to us](mailto:hello@waitlist-site.example)",
  ].join("\n\n"),
};

const { siteUrl } = context;
const own = { unsubscribe: `${siteUrl}/unsubscribe/7.TOKEN`, entry: `${siteUrl}/your-data/7-0.TOKEN` };
const links = { ...own, web: `${siteUrl}/letters/3` };

const rendered = renderLetter(letter, links, context);

describe("a rendered letter", () => {
  test("reads as plain text", () => {
    expect(rendered.text).toBe(`The market opens
================

Hello, dear pioneer.
See the map (https://map.example/?a=1&b=2), or leave (${links.unsubscribe}).

Open the site: ${context.siteUrl}/roadmap

[A stall & a host]

- First
- Second
  1. Inner

> Quoted

* * *

Write to us (hello@waitlist-site.example)

--
You’re receiving this email because this address is on the ${site.name} waitlist. You can unsubscribe at any time.

Read on the web: ${links.web}
Unsubscribe: ${links.unsubscribe}
See or erase your entry: ${links.entry}
Privacy policy: ${context.siteUrl}/privacy

Sent by ${site.name}: Grace Hopper, 1 Market Square, Exampleton.`);
  });

  test("has the line breaks that were typed, in its text and in its HTML", () => {
    const body = "Dear all,\nwe open.  \nAda\n\n- First\n  and more\n\nTwo\nlines\n===";
    const { text, html } = renderLetter({ ...letter, body }, links, context);
    expect(text).toContain("Dear all,\nwe open.\nAda\n\n- First\n  and more\n\nTwo\nlines\n=====\n");
    for (const broken of ["Dear all,<br>we open.<br>Ada</p>", "First<br>and more</li>", "Two<br>lines</h1>"])
      expect(html).toContain(broken);
  });

  test("has the same links in its HTML, and no script, frame, style sheet or image but the site's and the owner's", () => {
    const hrefs = [...rendered.html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href?.replaceAll("&amp;", "&"));
    const written = words(`https://map.example/?a=1&b=2 ${links.unsubscribe} ${siteUrl}/roadmap
      mailto:hello@waitlist-site.example`);
    expect(hrefs).toEqual([siteUrl, ...written, links.web, links.unsubscribe, links.entry, `${siteUrl}/privacy`]);
    expect(Array.from(rendered.html.matchAll(/src(?:set)?="([^"]*)"/g), ([, source]) => source)).toEqual([
      ...["logo", "market-dark", "market-light"].map((name) => `${siteUrl}/email/${name}.png`),
      "https://pictures.example/stall.png",
    ]);
    expect(rendered.html).not.toMatch(/<(script|iframe|link|object|form|input)\b|url\(|{{/);
  });

  test("stands in the frame of the welcome email: its styles, the mark and the name, and the market", async () => {
    const frameOf = (html: string) =>
      [
        /<style>.*<\/style>/s,
        /<body class="e-page" style="[^"]*">/,
        /<table[^>]*><tr><td align.*?<td style="padding:28px/s,
      ].map((part) => part.exec(html)?.[0] ?? "");
    const frame = frameOf(rendered.html);
    expect(frame.join()).toContain("/email/market-light.png");
    expect(frame).toEqual(frameOf((await renderEmail(claimed(subscriber), context)).html));
  });

  test("has a rule for the dark scheme for each class, begins with the preview line, and has the subject as its title", () => {
    const [sheet = "", body = ""] = rendered.html.split("<body");
    const inSheet = Array.from(sheet.matchAll(/\.(e-\w+)\{/g), ([, name]) => name);
    const inBody = Array.from(body.matchAll(/class="([^"]*)"/g), ([, name]) => name);
    expect(new Set(inBody.concat("e-page"))).toEqual(new Set(inSheet));
    expect(rendered.subject).toBe(letter.subject);
    expect(rendered.html).toContain("<title>The market opens &amp; more</title>");
    expect(rendered.html).toMatch(/<body[^>]*><div[^>]*display:none[^>]*>Your stall &lt;is&gt; ready<\/div>/);
    expect(renderLetter({ ...letter, preview_line: "" }, links, context).html).not.toContain("display:none");
  });

  test("names its list; it has a link to the web while it is public, and unsubscribes with one click by https (RFC 2919, RFC 8058)", () => {
    expect(rendered.headers).toEqual({
      "List-Id": "<letters.waitlist-site.example>",
      "List-Unsubscribe": `<${links.unsubscribe}/one-click>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    });
    const local = { ...context, siteUrl: "http://localhost:8787" };
    const unsubscribe = `${local.siteUrl}/unsubscribe/7.TOKEN`;
    const { headers, html, text } = renderLetter(letter, { ...links, unsubscribe, web: null }, local);
    expect(headers).toEqual({ "List-Id": "<letters.localhost>" });
    for (const body of [html, text]) expect(body).not.toMatch(/letters\/|on the web/);
  });

  test("is the same at every attempt, and differs between recipients only in their own links", () => {
    expect(renderLetter(letter, links, context)).toEqual(rendered);
    const prepared = prepareLetter(letter, links.web, context);
    expect(prepared(links, null)).toEqual(rendered);
    const other = JSON.stringify(prepared(JSON.parse(JSON.stringify(links).replaceAll("TOKEN", "OTHER")), null));
    expect(other).toBe(JSON.stringify(rendered).replaceAll("TOKEN", "OTHER"));
  });

  test("shows a text that looks like HTML or a replacement pattern as it was typed", () => {
    const body = "Fish \\& chips \\<b> $& $1 &lt;i&gt;";
    const { html, text } = renderLetter({ ...letter, subject: "$&", body }, links, context);
    expect(text).toContain("Fish & chips <b> $& $1 <i>");
    expect(html).toContain("Fish &amp; chips &lt;b&gt; $&amp; $1 &lt;i&gt;");
  });

  test("is refused if its body or subject has a problem", () => {
    const render = (part: object) => () => renderLetter({ ...letter, ...part }, links, context);
    expect(render({ body: "Dear {{name}}" })).toThrow(/^Line 1 of the letter/);
    expect(render({ subject: "Dear {{name|you}}" })).toThrow(/does not match a question/);
  });

  describe("that greets", () => {
    const greeting = {
      ...letter,
      subject: "News, {{town|dear friend}}",
      preview_line: "For {{role|you & all}}",
      body: "Hello **{{town|you & all}}**, {{craft|friend}}.\n\n![In {{town|a town}}](https://pictures.example/a.png)",
    };
    const greet = (answers: Record<string, string> | null) => renderLetter(greeting, links, context, answers);

    test("says what the recipient answered, by the words of the answer", () => {
      const { subject, html, text } = greet({ town: "Hay & Wye", role: "host", craft: "pots" });
      expect(subject).toBe("News, Hay & Wye");
      expect(html).toContain("<title>News, Hay &amp; Wye</title>");
      expect(html).toContain(">For Event host</div>");
      expect(html).toContain("Hello <strong>Hay &amp; Wye</strong>, pots.");
      expect(html).toContain('alt="In Hay &amp; Wye"');
      expect(text).toContain("Hello Hay & Wye, pots.\n\n[In Hay & Wye]");
    });

    test("says the words after the sign to people without an answer", () => {
      const unanswered: Parameters<typeof greet>[0][] = [null, {}, { town: " ", role: "gone", other: "x" }];
      for (const answers of unanswered) {
        const { subject, html, text } = greet(answers);
        expect(subject).toBe("News, dear friend");
        expect(html).toContain(">For you &amp; all</div>");
        expect(html).toContain("Hello <strong>you &amp; all</strong>, friend.");
        expect(text).toContain("Hello you & all, friend.\n\n[In a town]");
        for (const part of [subject, html, text]) expect(part).not.toContain("{{");
      }
    });

    test("shows answers that look like HTML, Markdown or a placeholder as they were typed, in one line", () => {
      const typed = "<b>*a*</b>\u2028\r\n{{unsubscribe}} {{craft|x}} $& \u202e\"'";
      const { subject, html, text } = greet({ town: typed });
      const shown = "<b>*a*</b> {{unsubscribe}} {{craft|x}} $& \"'";
      expect(subject).toBe(`News, ${shown}`);
      expect(text).toContain(`Hello ${shown}, friend.`);
      expect(html).toContain("<strong>&lt;b&gt;*a*&lt;/b&gt; {{unsubscribe}} {{craft|x}} $&amp; &quot;&#39;</strong>");
      expect(html).not.toContain("<b>");
    });

    const evilLinks = words(`https://evil.example/win www.evil.example eve@evil.example EVIL.EXAMPLE evil。com evil．com
      evil｡com/x evil․com evil.\u200bcom evil\u00ad.c\u2060om ev\u200bil.co\u0301m ｗｗｗ．evil．ｃｏｍ tel:evil`);
    const numbers = ["1.2.3.4/x", "１．２．３．４", "+44 20 7946 0958", "(0800)\u200b 123-456", "٠١٢٣٤٥٦٧"];
    test.each([...evilLinks, "win at evil.example", ...numbers.map((number) => `evil ${number}`)])(
      "does not carry a link or a telephone number that someone entered as an answer: %s",
      (town) => {
        for (const part of Object.values(greet({ town }))) expect(JSON.stringify(part)).not.toMatch(/ev\u200b?il/i);
      },
    );

    test("says what only looks like one", () => {
      for (const town of ["St. Ives", "Jean-Luc", "O’Brien", "東京", "J.R.", "Route 66", "10115 Berlin", "👩‍🌾 Ann"])
        expect(greet({ town }).subject).toBe(`News, ${town}`);
    });
  });

  test("is not refused for limits that came after it was started", () => {
    const body = `Hello\n\n${"*a* ".repeat(51)}`;
    expect(checkLetter({ ...letter, body })).not.toBeNull();
    expect(renderLetter({ ...letter, body }, links, context).html).toContain(">a</em>");
  });
});
