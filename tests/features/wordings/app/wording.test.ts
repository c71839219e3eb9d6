import { describe, expect, test } from "vitest";
import { renderContent } from "#app/email/blocks/render-content.server.ts";
import { plain, readWording, wordedKinds } from "#app/email/templates/wording.ts";
import { checkWording } from "#app/features/wordings/check-wording.server.ts";
import { originalWording } from "#app/features/wordings/wordings.server.ts";
import { withFollowUps } from "#app/waitlist/sign-up/consent-wording.ts";

describe("an email's text", () => {
  test("has paragraphs, lists, links, bold and italics", () => {
    const text =
      "One **two *x* three**\nfour.\n\n- *a*\n- [b **c**](https://d.example/?e=1)\n\nMail [us](mailto:us@f.example)";
    const paragraph = (...children: unknown[]) => ({ type: "paragraph", children });
    const strong = (...children: unknown[]) => ({ type: "strong", children });
    const emphasis = (...children: unknown[]) => ({ type: "emphasis", children });
    const link = (address: string, ...children: unknown[]) => ({ type: "link", address, children });
    const item = (child: object) => ({ type: "item", children: [{ ...paragraph(child), isTight: true }] });
    const items = [item(emphasis("a")), item(link("https://d.example/?e=1", "b ", strong("c")))];
    expect(readWording(text)).toEqual([
      paragraph("One ", strong("two ", emphasis("x"), " three"), { type: "line-break" }, "four."),
      { type: "list", start: null, children: items },
      paragraph("Mail ", link("mailto:us@f.example", "us")),
    ]);
  });

  test("shows signs without a partner, and those behind a backslash, as they were typed", () => {
    for (const text of ["2 * 3", "a ** b", "[a] (b)", "snake_case", "a [b"])
      expect(readWording(text)).toEqual([{ type: "paragraph", children: [text] }]);
    expect(readWording("\\*a\\* \\[b\\](c)")).toEqual([{ type: "paragraph", children: ["*a* [b](c)"] }]);
    const odd = "*a* **b** [c](https://d.example) \\";
    expect(readWording(plain(odd))).toEqual([{ type: "paragraph", children: [odd] }]);
  });

  test("cannot bring markup of its own", () => {
    const blocks = readWording('<b onclick="x">a</b> [<i>](https://a.example/"><script>)');
    const { html } = renderContent({ subject: "a", siteUrl: null, heading: "b", blocks, footer: [] });
    expect(html).not.toMatch(/<(script|i|b)\b/);
  });
});

describe("words", () => {
  const words = { subject: "Welcome", heading: "Hello", body: "Good to see you." };

  test.each(wordedKinds)("that are the original ones of %s are right, before and after the launch", (kind) => {
    for (const launchUrl of [undefined, "https://product.example/(new)"])
      expect(checkWording(kind, originalWording(kind, { launchUrl, promise: withFollowUps.text, now: 0 }))).toEqual({});
  });

  test.each([
    ["nothing, or too many characters", " ", "n".repeat(151)],
    ["another header or a line separator", "News\r\nBcc: eve@example.com", "News\u2028more"],
    ["a placeholder that is no greeting", "News for {{no_question|you}}", "{{town}}", "{{town|", "{{site}}"],
  ])("cannot have %s as their subject or heading", (_, ...lines) => {
    for (const line of lines)
      for (const field of ["subject", "heading"] as const)
        expect(checkWording("welcome", { ...words, [field]: line })).toEqual({ [field]: expect.stringMatching(/\.$/) });
  });

  test.each([
    ["nothing, or too many characters", " \n", "n".repeat(5_001)],
    ["a heading, a quotation or a line across", "a\n\n# b", "a\n\n> b", "a\n\n---"],
    ["a list that touches a paragraph, or another list", "a\n- b", "a\n\n* b", "a\n\n1. b"],
    ["an image", "a\n\n![b](https://c.example/d.png)"],
    ["HTML or code", "a\n\n<b>b</b>", "a\n\n`b`"],
    [
      "a greeting that is malformed, or has signs in it",
      "a\n\n{{role}}",
      "{{role|*b*}}",
      "{{role|\nb}}",
      "{{role|[b](c)}}",
    ],
    ["a greeting in an address", "[a](https://b.example/{{role|c}})", "[a]({{site}})"],
    ["a control character", "a\n\nb\u0007"],
    ["a script as a link", "[a](javascript:alert(1))"],
    ["a link without a scheme or security", "[a](//b.example)", "[a](http://b.example)"],
    ["a link with a user name, or to a private address", "[a](https://b@c.example)", "[a](https://localhost/)"],
    ["a link to several addresses", "[a](mailto:b@c.example,d@e.example)"],
  ])("cannot have %s in their text", (_, ...bodies) => {
    for (const body of bodies) expect(Object.keys(checkWording("welcome", { ...words, body })), body).toEqual(["body"]);
  });

  test("of a welcome email have greetings, those of a confirmation none", () => {
    const greeting = {
      subject: "Hi {{town|you}}",
      heading: "{{ role |Hello}}",
      body: "**{{town|you}}** [{{role|a}}](https://b.example)",
    };
    expect(checkWording("welcome", greeting)).toEqual({});
    const refused = expect.stringContaining("a stranger typed");
    for (const kind of ["confirm", "confirm-reminder"] as const)
      expect(checkWording(kind, greeting)).toEqual({ subject: refused, heading: refused, body: refused });
  });

  test("of a confirmation have no links", () => {
    const linked = { ...words, body: "[Look](https://product.example)" };
    expect(checkWording("welcome", linked)).toEqual({});
    for (const kind of ["confirm", "confirm-reminder"] as const)
      expect(checkWording(kind, linked)).toEqual({ body: expect.stringContaining("no links") });
  });
});
