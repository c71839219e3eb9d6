import { describe, expect, test } from "vitest";
import { renderContent } from "#app/email/blocks/render-content.server.ts";
import { checkWording } from "#app/email/wordings/check-wording.server.ts";
import { originalWording } from "#app/email/wordings/original-wording.server.ts";
import { plain, readWording } from "#app/email/wordings/read-wording.ts";
import { wordedKinds } from "#app/email/wordings/wording.ts";
import { withFollowUps } from "#app/waitlist/consent-wording.ts";

describe("an email's text", () => {
  test("has paragraphs, lists, links, bold and italics", () => {
    const text =
      "One **two *x* three**\nfour.\n\n- *a*\n- [b **c**](https://d.example/?e=1)\n\nMail [us](mailto:us@f.example)";
    expect(readWording(text)).toEqual([
      {
        type: "paragraph",
        children: [
          "One ",
          { type: "strong", children: ["two ", { type: "emphasis", children: ["x"] }, " three"] },
          { type: "line-break" },
          "four.",
        ],
      },
      {
        type: "list",
        start: null,
        children: [
          [{ type: "emphasis", children: ["a"] }],
          [{ type: "link", address: "https://d.example/?e=1", children: ["b ", { type: "strong", children: ["c"] }] }],
        ].map((children) => ({ type: "item", children: [{ type: "paragraph", isTight: true, children }] })),
      },
      { type: "paragraph", children: ["Mail ", { type: "link", address: "mailto:us@f.example", children: ["us"] }] },
    ]);
  });

  test("shows signs without a partner, and those behind a backslash, as they were typed", () => {
    for (const text of ["2 * 3", "a ** b", "[a] (b)", "snake_case", "a [b"]) {
      expect(readWording(text)).toEqual([{ type: "paragraph", children: [text] }]);
    }
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
    for (const launchUrl of [undefined, "https://product.example/(new)"]) {
      expect(checkWording(kind, originalWording(kind, { launchUrl, promise: withFollowUps.text, now: 0 }))).toEqual({});
    }
  });

  test.each([
    ["nothing", " "],
    ["another header", "News\r\nBcc: eve@example.com"],
    ["a line separator", "News\u2028more"],
    ["a placeholder", "News for {{first_name|you}}"],
    ["too many characters", "n".repeat(151)],
  ])("cannot have %s as their subject or heading", (_, line) => {
    for (const field of ["subject", "heading"] as const) {
      expect(checkWording("welcome", { ...words, [field]: line })).toEqual({ [field]: expect.stringMatching(/\.$/) });
    }
  });

  test.each([
    ["nothing", " \n"],
    ["too many characters", "n".repeat(5_001)],
    ["a heading", "a\n\n# b"],
    ["a list that touches a paragraph", "a\n- b"],
    ["another list", "a\n\n* b"],
    ["numbers", "a\n\n1. b"],
    ["a quotation", "a\n\n> b"],
    ["a line across", "a\n\n---"],
    ["an image", "a\n\n![b](https://c.example/d.png)"],
    ["HTML", "a\n\n<b>b</b>"],
    ["code", "a\n\n`b`"],
    ["a placeholder", "a\n\n{{role|b}}"],
    ["a control character", "a\n\nb\u0007"],
    ["a script as a link", "[a](javascript:alert(1))"],
    ["a link without a scheme", "[a](//b.example)"],
    ["a link that is not secure", "[a](http://b.example)"],
    ["a link with a user name", "[a](https://b@c.example)"],
    ["a link to a private address", "[a](https://localhost/)"],
    ["a link to several addresses", "[a](mailto:b@c.example,d@e.example)"],
  ])("cannot have %s in their text", (_, body) => {
    expect(Object.keys(checkWording("welcome", { ...words, body }))).toEqual(["body"]);
  });

  test("of a confirmation have no links", () => {
    const linked = { ...words, body: "[Look](https://product.example)" };
    expect(checkWording("welcome", linked)).toEqual({});
    expect(checkWording("confirm", linked)).toEqual({ body: expect.stringContaining("no links") });
    expect(checkWording("confirm-reminder", linked)).toEqual({ body: expect.stringContaining("no links") });
  });
});
