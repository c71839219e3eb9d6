import { describe, expect, test } from "vitest";
import { checkLetter } from "#app/email/letters/check-letter.server.ts";
import { parseLetter } from "#app/email/letters/parse-letter.server.ts";
import { questions } from "#app/site.ts";

const MAX_BODY_LENGTH = 40_000;

/** The lines that are refused. */
const refusedLines = (body: string) => parseLetter(body).problems.map(({ line }) => line);

describe("a letter's body", () => {
  test("has headings, paragraphs, emphasis, links and line breaks", () => {
    const body = "## News\n\nWe *open* **soon**  \nSee [the map](https://map.example/?a=1&b=2).\n\n***";
    expect(parseLetter(body)).toEqual({
      problems: [],
      blocks: [
        { type: "heading", level: 2, children: ["News"] },
        {
          type: "paragraph",
          children: [
            "We ",
            { type: "emphasis", children: ["open"] },
            " ",
            { type: "strong", children: ["soon"] },
            { type: "line-break" },
            "See ",
            { type: "link", address: "https://map.example/?a=1&b=2", children: ["the map"] },
            ".",
          ],
        },
        { type: "rule" },
      ],
    });
  });

  test.each([
    ["as it was typed", "a\nb"],
    ["after one space", "a \n b"],
    ["after two spaces", "a  \nb"],
    ["after a backslash", "a\\\nb"],
  ])("keeps a line break %s, once", (_, body) => {
    const children = ["a", { type: "line-break" }, "b"];
    expect(parseLetter(body)).toEqual({ problems: [], blocks: [{ type: "paragraph", children }] });
    expect(parseLetter(`- ${body.replace("\n", "\n  ")}`).blocks).toEqual([
      {
        type: "list",
        start: null,
        children: [{ type: "item", children: [{ type: "paragraph", isTight: true, children }] }],
      },
    ]);
    expect(parseLetter(`> ${body.replace("\n", "\n> ")}`).blocks).toEqual([
      { type: "quote", children: [{ type: "paragraph", children }] },
    ]);
  });

  test("keeps line breaks inside emphasis, links and headings, and makes none around blocks", () => {
    const broken = ["a", { type: "line-break" }, "b"];
    const only = (body: string) => parseLetter(body).blocks[0];
    expect(only("*a\nb*")).toMatchObject({ children: [{ type: "emphasis", children: broken }] });
    expect(only("[a\nb](https://map.example)")).toMatchObject({ children: [{ type: "link", children: broken }] });
    expect(only("a\nb\n===")).toEqual({ type: "heading", level: 1, children: broken });
    expect(only("*a*\n*b*")).toMatchObject({ children: [{}, { type: "line-break" }, {}] });
    expect(parseLetter("# a\nb\n- c\n- d\n\n\n\ne\n").blocks).toEqual([
      { type: "heading", level: 1, children: ["a"] },
      { type: "paragraph", children: ["b"] },
      expect.objectContaining({ type: "list" }),
      { type: "paragraph", children: ["e"] },
    ]);
  });

  test("has lists inside lists, and quotes", () => {
    const paragraph = (content: string) => ({ type: "paragraph", children: [content] });
    const item = (content: string, ...others: object[]) => {
      return { type: "item", children: [{ ...paragraph(content), isTight: true }, ...others] };
    };
    expect(parseLetter("- a\n- b\n  1. c\n\n> d").blocks).toEqual([
      {
        type: "list",
        start: null,
        children: [item("a"), item("b", { type: "list", start: 1, children: [item("c")] })],
      },
      { type: "quote", children: [paragraph("d")] },
    ]);
  });

  test("has a button for a paragraph that is one bold link", () => {
    const button = { type: "button", address: "https://map.example", children: ["Open the map"] };
    expect(parseLetter("**[Open the map](https://map.example)**").blocks).toEqual([button]);
    expect(parseLetter("See **[the map](https://map.example)**").blocks).toMatchObject([{ type: "paragraph" }]);
  });

  test("has images with a description, which may be links", () => {
    const image = { type: "image", source: "https://pictures.example/stall.png", alt: "A stall", address: null };
    const picture = "![A stall](https://pictures.example/stall.png)";
    expect(parseLetter(picture).blocks).toEqual([image]);
    expect(parseLetter(`[${picture}](https://map.example)`).blocks).toEqual([
      { ...image, address: "https://map.example" },
    ]);
  });

  test("fills placeholders in the addresses of links and buttons", () => {
    const body = "[Leave]({{unsubscribe}}), [visit]({{site}}), [read]({{site}}/roadmap?a=b#c)\n\n**[Go]({{site}}/)**";
    expect(parseLetter(body).problems).toEqual([]);
  });

  test.each([
    ["```\na\n```", "Remove the three signs"],
    ["~~~\na\n~~~", "Remove the three signs"],
    ["    a", "Remove the spaces"],
    ["a `b`", "Remove the ` signs"],
  ])("says what to remove from the code %j", (body, advice) => {
    expect(parseLetter(body).problems).toMatchObject([{ text: expect.stringContaining(advice) }]);
  });

  test.each([
    ["HTML between paragraphs", "a\n\n<div>\n\nb"],
    ["HTML inside a paragraph", "a\n\nb <b>bold</b>"],
    ["a comment", "a\n\n<!-- hidden -->"],
    ["a script", "a\n\n<script>alert(1)</script>"],
    ["a block of code", "a\n\n```js\nalert(1)\n```"],
    ["an indented block of code", "a\n\n    alert(1)"],
    ["code in a line", "a\n\nb `c`"],
    ["a table", "a\n\n| b | c |\n| - | - |\n| d | e |"],
    ["a heading with four signs", "a\n\n#### b"],
    ["the address of a link in another place", "a\n\n[1]: https://map.example"],
    ["an image inside a paragraph", "a\n\nb ![c](https://pictures.example/c.png)"],
    ["an image without a description", "a\n\n![](https://pictures.example/c.png)"],
    ["an image without an address", "a\n\n![b]()"],
    ["an image by http", "a\n\n![b](http://pictures.example/c.png)"],
    ["an image whose address is misspelt", "a\n\n![b](htps://pictures.example/c.png)"],
    ["an image whose address has no host", "a\n\n![b](https:///c.png)"],
    ["an image in the address itself", "a\n\n![b](data:image/png;base64,AAAA)"],
    ["an image with a placeholder", "a\n\n![b]({{site}}/c.png)"],
    ["an image with a title", 'a\n\n![b](https://pictures.example/c.png "d")'],
    ["a link with a script", "a\n\n[b](javascript:alert(1))"],
    ["a link with a script in capitals", "a\n\n[b](JaVaScRiPt:alert(1))"],
    ["a link with a script behind a character reference", "a\n\n[b](javascript&colon;alert(1))"],
    ["a link with a script between angle brackets", "a\n\n<javascript:alert(1)>"],
    ["a link with data", "a\n\n[b](data:text/html,c)"],
    ["a link by http", "a\n\n[b](http://map.example)"],
    ["a link without a scheme", "a\n\n[b](//map.example)"],
    ["a link to a page of the site", "a\n\n[b](/roadmap)"],
    ["a link with a user name", "a\n\n[b](https://site.example@evil.example)"],
    ["a link with a line break", "a\n\n[b](https://map.example/&#10;c)"],
    ["a link without text", "a\n\n[](https://map.example)"],
    ["a link with a title", 'a\n\n[b](https://map.example "c")'],
    ["a malformed email address", "a\n\n[b](mailto:ada)"],
    ["an email address with headers", "a\n\n[b](mailto:ada@example.com?bcc=eve@example.com)"],
    ["a script in a button", "a\n\n**[b](javascript:alert(1))**"],
    ["an unknown placeholder", "a\n\nDear {{name}},"],
    ["an unknown placeholder in the middle of a paragraph", "a\nb\nDear {{name}},"],
    ["an unfinished placeholder", "a\n\nDear {{name},"],
    ["an unknown placeholder as an address", "a\n\n[b]({{name}})"],
    ["a placeholder that is only part of an address", "a\n\n[b](https://{{site}}/c)"],
    ["a placeholder with a host behind it", "a\n\n[b]({{site}}.evil.example)"],
    ["a placeholder outside an address", "a\n\nVisit {{site}}"],
    ["a placeholder that begins outside of emphasis", "a\n\n{*{unsubscribe}}*"],
    ["a placeholder that begins in a link and ends in bold", "a\n\n[{](https://map.example)**{uns**ubscribe}} b"],
    ["a placeholder across emphasis on the second line of a paragraph", "a\nb\n*c {*{site}} d"],
    ["a placeholder as an email address", "a\n\n[b](mailto:{{unsubscribe}}@evil.example)"],
    ["a placeholder in an email's subject", "a\n\n[b](mailto:ada@example.com?subject={{unsubscribe}})"],
    ["an answer without words for people who gave none", "a\n\nDear {{town}},"],
    ["an answer with nothing for people who gave none", "a\n\nDear {{town| }},"],
    ["an answer to a question that is not asked", "a\n\nDear {{first_name|there}},"],
    ["an answer with two | signs", "a\n\nDear {{town|my|dear}},"],
    ["an answer across emphasis", "a\n\nDear {{town|*there*}},"],
    ["an answer across lines", "a\n\nDear {{town|there\nor here}},"],
    ["an answer in braces", "a\n\nDear {{{town|there}}},"],
    ["an answer in an address", "a\n\n[b](https://map.example/{{town|there}})"],
    ["an answer in the address of an image", "a\n\n![b](https://map.example/{{town|there}}.png)"],
    ["a placeholder in a description", "a\n\n![{{unsubscribe}}](https://pictures.example/c.png)"],
    ["a control character", "a\n\nb\u0007c"],
    ["a character that XML has not", "a\n\nb\uffffc"],
    ["half of a surrogate pair", "a\n\nb\ud800c"],
    ["a carriage return", "a\n\nb\rc"],
    ["six lists inside each other", "a\n\n- - - - - - b"],
    ["a thousand quotes inside each other", `a\n\n${">".repeat(1_000)} b`],
    ["six levels of emphasis", "a\n\n*a **b *c **d *e **f** e* d** c* b** a*"],
    ["an endless line", `a\n\n${"b".repeat(5_001)}`],
  ])("cannot have %s, and says on which line", (_, body) => {
    expect(refusedLines(body)).toEqual([3]);
    expect(parseLetter(body).problems[0]?.text).toMatch(/^[A-Z{].*[.)]$/s);
  });

  test.each([
    ["lines", "a\n".repeat(1_000), 1_001],
    ["items of lists", `- a\n${"- b\n".repeat(500)}`, 501],
    ["quotes", "> a\n\n".repeat(400).replaceAll(">", "> >"), 501],
    ["signs", `${`${"&amp; ".repeat(500)}\n\n`.repeat(8)}a & b`, 17],
    ["emphasis in a paragraph", `a\n\n${"*b* ".repeat(50)}\n_c_`, 4],
    ["characters in a paragraph", `a\n\n${`${"b ".repeat(2_000)}\n`.repeat(2)}`, 4],
  ])("cannot have too many %s, and says so where they exceed", (_, body, line) => {
    expect(parseLetter(body)).toEqual({ blocks: [], problems: [{ line, text: expect.stringMatching(/\d|Divide/) }] });
  });

  test("counts emphasis and characters anew at each item of a list, but not at numbers within a text", () => {
    const lines = (sign: (n: number) => string) =>
      Array.from({ length: 150 }, (_, n) => `${sign(n)} *${"b".repeat(40)}*`);
    for (const sign of [() => "-", (n: number) => `${n + 1}.`]) {
      expect(parseLetter(lines(sign).join("\n")).problems).toEqual([]);
    }
    const years = lines((n) => `${1_900 + n}.`);
    expect(refusedLines(["In", ...years].join("\n"))).toEqual([52, 106]);
  });

  test("keeps a line of stars or hyphens, however many", () => {
    expect(parseLetter(`a\n\n${"* ".repeat(100)}\n\n${"- ".repeat(100)}`)).toMatchObject({ problems: [] });
  });

  test("has something to read, and at most so many characters", () => {
    expect(refusedLines(" \n ")).toEqual([1]);
    expect(refusedLines("word ".repeat(MAX_BODY_LENGTH / 5).replaceAll(/(.{1000})/g, "$1\n"))).toEqual([1]);
    expect(refusedLines("word ".repeat(MAX_BODY_LENGTH / 5 - 20).replaceAll(/(.{1000})/g, "$1\n\n"))).toEqual([]);
  });

  test("numbers a list from its first number", () => {
    expect(parseLetter("7. a\n8. b").blocks).toMatchObject([{ type: "list", start: 7 }]);
  });

  test("has the address of a link behind its text", () => {
    expect(refusedLines("See [the map][1].\n\n![A stall][1]\n\n[1]: https://map.example")).toEqual([1, 3, 5]);
  });

  test("reports what is wrong in the order of the lines, each once", () => {
    expect(refusedLines("<b>a</b>\n\n{{b}}\n\n[c](http://d.example)\n\n<i>")).toEqual([1, 3, 5, 7]);
  });
});

describe("a letter", () => {
  const letter = { subject: "News", previewLine: "", body: "Hello", replyTo: "" };
  const right = { subject: null, previewLine: null, body: [], replyTo: null };

  test("needs a subject, but no preview line", () => {
    expect(checkLetter(letter)).toBeNull();
    expect(checkLetter({ ...letter, subject: " " })).toMatchObject({ subject: expect.any(String), previewLine: null });
  });

  test.each([
    ["another header", "News\r\nBcc: eve@example.com"],
    ["a line break", "News\nmore"],
    ["a line separator", "News\u2028more"],
    ["a control character", "News\u0000"],
    ["a placeholder", "News for {{name}}"],
    ["too many characters", "n".repeat(151)],
  ])("cannot have %s in its subject or its preview line", (_, line) => {
    expect(checkLetter({ ...letter, subject: line })).toEqual({
      ...right,
      subject: expect.stringMatching(/^The subject\b.*\.$/),
    });
    expect(checkLetter({ ...letter, previewLine: line })).toEqual({
      ...right,
      previewLine: expect.stringMatching(/^The preview line\b.*\.$/),
    });
  });

  test("can greet with the answer to any question of the site, in every part", () => {
    const text = "{{town|there}} {{ role | dear friend }} {{craft|you, don't}}";
    const body = `# ${text}\n\nHello **${text}**\n\n- ${text}\n\n[${text}](https://map.example)\n\n![${text}](https://map.example/a.png)`;
    expect(checkLetter({ subject: text, previewLine: text, body, replyTo: "" })).toBeNull();
  });

  test("names the answers that can be filled in, when one is not", () => {
    const { subject = "" } = checkLetter({ ...letter, subject: "Dear {{first_name|there}}" }) ?? {};
    expect(subject).toContain("{{first_name|there}} does not match a question");
    for (const { key } of questions) expect(subject).toContain(`{{${key}|there}}`);
  });

  test.each([
    "ada",
    "ada@",
    "Ada <ada@example.com>",
    "ada@example.com, eve@example.com",
    "ada@example.com\r\nBcc: eve@example.com",
  ])("cannot have replies sent to %j", (replyTo) => {
    expect(checkLetter({ ...letter, replyTo })).toEqual({
      ...right,
      replyTo: expect.stringContaining("not an email address"),
    });
    expect(checkLetter({ ...letter, replyTo: "ada@example.com" })).toBeNull();
  });
});
