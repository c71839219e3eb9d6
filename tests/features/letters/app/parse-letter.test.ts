import { describe, expect, test } from "vitest";
import { checkLetter } from "#app/features/letters/send/check-letter.server.ts";
import { parseLetter } from "#app/features/letters/send/parse-letter.server.ts";
import { questions } from "#app/site.ts";
import { words } from "#tests/support/words.ts";

const MAX_BODY_LENGTH = 40_000;

/** The lines that are refused. */
const refusedLines = (body: string) => parseLetter(body).problems.map(({ line }) => line);

describe("a letter's body", () => {
  const paragraph = (...children: unknown[]) => ({ type: "paragraph", children });
  const list = (start: number | null, ...children: object[]) => ({ type: "list", start, children });
  const item = (content: unknown[], ...others: object[]) => {
    return { type: "item", children: [{ ...paragraph(...content), isTight: true }, ...others] };
  };
  const link = (address: string, ...children: string[]) => ({ type: "link", address, children });
  const quote = (...children: object[]) => ({ type: "quote", children });
  const lineBreak = { type: "line-break" };
  const broken = ["a", lineBreak, "b"];

  test("has headings, paragraphs, emphasis, links and line breaks", () => {
    const body = "## News\n\nWe *open* **soon**  \nSee [the map](https://map.example/?a=1&b=2).\n\n***";
    const open = { type: "emphasis", children: ["open"] };
    const soon = { type: "strong", children: ["soon"] };
    const map = link("https://map.example/?a=1&b=2", "the map");
    const text = paragraph("We ", open, " ", soon, lineBreak, "See ", map, ".");
    const blocks = [{ type: "heading", level: 2, children: ["News"] }, text, { type: "rule" }];
    expect(parseLetter(body)).toEqual({ problems: [], blocks });
  });

  test.each(["a\nb", "a \n b", "a  \nb", "a\\\nb"])(
    "keeps the line break of %j once, also in lists and quotes",
    (body) => {
      expect(parseLetter(body)).toEqual({ problems: [], blocks: [paragraph(...broken)] });
      expect(parseLetter(`- ${body.replace("\n", "\n  ")}`).blocks).toEqual([list(null, item(broken))]);
      expect(parseLetter(`> ${body.replace("\n", "\n> ")}`).blocks).toEqual([quote(paragraph(...broken))]);
    },
  );

  test("keeps line breaks inside emphasis, links and headings, and makes none around blocks", () => {
    const only = (body: string) => parseLetter(body).blocks[0];
    expect(only("*a\nb*")).toMatchObject({ children: [{ type: "emphasis", children: broken }] });
    expect(only("[a\nb](https://map.example)")).toMatchObject({ children: [{ type: "link", children: broken }] });
    expect(only("a\nb\n===")).toEqual({ type: "heading", level: 1, children: broken });
    expect(only("*a*\n*b*")).toMatchObject({ children: [{}, { type: "line-break" }, {}] });
    expect(parseLetter("# a\nb\n- c\n- d\n\n\n\ne\n").blocks).toEqual([
      { type: "heading", level: 1, children: ["a"] },
      paragraph("b"),
      expect.objectContaining({ type: "list" }),
      paragraph("e"),
    ]);
  });

  test("has lists inside lists, from their first number, and quotes", () => {
    expect(parseLetter("- a\n- b\n  1. c\n\n> d\n\n7. e\n8. f").blocks).toEqual([
      list(null, item(["a"]), item(["b"], list(1, item(["c"])))),
      quote(paragraph("d")),
      list(7, item(["e"]), item(["f"])),
    ]);
  });

  test("has a button for a paragraph that is one bold link, and images with a description, which may be links", () => {
    const button = { type: "button", address: "https://map.example", children: ["Open the map"] };
    expect(parseLetter("**[Open the map](https://map.example)**").blocks).toEqual([button]);
    expect(parseLetter("See **[the map](https://map.example)**").blocks).toMatchObject([{ type: "paragraph" }]);
    const image = { type: "image", source: "https://pictures.example/stall.png", alt: "A stall", address: null };
    const picture = "![A stall](https://pictures.example/stall.png)";
    expect(parseLetter(picture).blocks).toEqual([image]);
    const linked = { ...image, address: "https://map.example" };
    expect(parseLetter(`[${picture}](https://map.example)`).blocks).toEqual([linked]);
  });

  test.each(["5*3*2", "2*x*3 cm", "10*20*30", "2**3**4", "5 * 3 * 2", "3*a*b"])("leaves %s as it was typed", (text) => {
    expect(parseLetter(text)).toEqual({ problems: [], blocks: [paragraph(text)] });
  });

  test("keeps emphasis at and inside words, and of numbers", () => {
    const marks = (body: string) => JSON.stringify(parseLetter(body).blocks).match(/strong|emphasis/g) ?? [];
    for (const body of ["*5* of 3", "un*believ*able", "**2**nd", "a *3*", "*a*b*"])
      expect(marks(body), body).toHaveLength(1);
  });

  test.each([
    ["https://map.example", "https://map.example", ""],
    ["https://map.example/a_b_c?x=1&y=(2).", "https://map.example/a_b_c?x=1&y=(2)", "."],
    ["https://map.example/a), b", "https://map.example/a", "), b"],
    ["HTTPS://map.example/…”", "HTTPS://map.example/", "…”"],
  ])("makes a link of the bare address in %j", (text, address, rest) => {
    const bare = paragraph("(See ", link(address, address), ...(rest === "" ? [] : [rest]));
    expect(parseLetter(`(See ${text}`)).toEqual({ problems: [], blocks: [bare] });
  });

  test("makes no second link inside links, buttons and greetings, nor of what is no public https address", () => {
    const same = "https://map.example";
    expect(parseLetter(`[at ${same}](${same}/b)`).blocks).toEqual([paragraph(link(`${same}/b`, `at ${same}`))]);
    expect(parseLetter(`**[${same}](${same})**`).blocks).toEqual([{ type: "button", address: same, children: [same] }]);
    for (const text of [
      `{{town|${same}}}`,
      `${same}/{{town|there}}`,
      "https://localhost/a",
      "http://a.example",
      "www.a.example",
      "xhttps://a.example",
    ])
      expect(parseLetter(text), text).toEqual({ problems: [], blocks: [paragraph(text)] });
    expect(parseLetter(`**a ${same}**\n- ${same}`).blocks).toMatchObject([
      { children: [{ type: "strong", children: ["a ", link(same, same)] }] },
      list(null, item([link(same, same)])),
    ]);
  });

  test.each([
    ["placeholders as addresses", "[a]({{unsubscribe}}) [b]({{site}}) [c]({{site}}/a?a=b#c)\n\n**[d]({{site}}/)**"],
    ["lines of stars or hyphens, however many", `a\n\n${"* ".repeat(100)}\n\n${"- ".repeat(100)}`],
  ])("can have %s", (_, body) => expect(parseLetter(body).problems).toEqual([]));

  test.each([
    ["Remove the three signs", "```\na\n```", "~~~\na\n~~~"],
    ["Remove the spaces", "    a"],
    ["Remove the ` signs", "a `b`"],
  ])("says of code: %s", (advice, ...bodies) => {
    const problems = bodies.map((body) => parseLetter(body).problems);
    expect(problems).toMatchObject(bodies.map(() => [{ text: expect.stringContaining(advice) }]));
  });

  const links = words(`javascript:alert(1) JaVaScRiPt:alert(1) javascript&colon;alert(1) data:text/html,c
    http://map.example //map.example /roadmap https://site.example@evil.example https://map.example/&#10;c mailto:ada
    mailto:ada@example.com?bcc=eve@example.com mailto:{{unsubscribe}}@evil.example {{site}}.evil.example {{name}}
    mailto:ada@example.com?subject={{unsubscribe}} https://{{site}}/c https://map.example/{{town|there}}`);
  const images = words(`http://map.example/c.png htps://map.example/c.png https:///c.png data:image/png;base64,AAAA
    {{site}}/c.png https://map.example/{{town|there}}.png`);

  test.each<[what: string, ...paragraphs: string[]]>([
    ["HTML", "<div>\n\nb", "b <b>bold</b>", "<!-- hidden -->", "<script>alert(1)</script>"],
    ["code", "```js\nalert(1)\n```", "    alert(1)", "b `c`"],
    ["a table or a heading with four signs", "| b | c |\n| - | - |\n| d | e |", "#### b"],
    ["the address of a link in another place", "[1]: https://map.example"],
    ["an image inside a paragraph", "b ![c](https://map.example/c.png)"],
    ["an image without a description or an address", "![](https://map.example/c.png)", "![b]()"],
    ["a title", '![b](https://map.example/c.png "d")', '[b](https://map.example "c")'],
    ...images.map((address): [string, string] => [`an image with the address ${address}`, `![b](${address})`]),
    ...links.map((address): [string, string] => [`a link to ${address}`, `[b](${address})`]),
    ["a script between angle brackets or in a button", "<javascript:alert(1)>", "**[b](javascript:alert(1))**"],
    ["a link without text", "[](https://map.example)"],
    ["an unknown or unfinished placeholder", "Dear {{name}},", "Dear {{name},"],
    ["a placeholder outside an address", "Visit {{site}}", "![{{unsubscribe}}](https://map.example/c.png)"],
    ["a placeholder across emphasis", "{*{unsubscribe}}*", "[{](https://map.example)**{uns**ubscribe}} b"],
    ["an answer without words for people who gave none", "Dear {{town}},", "Dear {{town| }},"],
    ["an answer to a question that is not asked", "Dear {{first_name|there}},"],
    ["an answer with other signs", ...["my|dear}}", "*there*}}", "there\nor}}"].map((end) => `Dear {{town|${end},`)],
    ["an answer in three braces", "Dear {{{town|there}}},"],
    ["a character that emails have not", "b\u0007c", "b\uffffc", "b\ud800c", "b\rc"],
    ["many blocks inside each other", "- - - - - - b", `${">".repeat(1_000)} b`],
    ["six levels of emphasis", "*a **b *c **d *e **f** e* d** c* b** a*"],
    ["an endless line", "b".repeat(5_001)],
  ])("cannot have %s, and says on which line", (_, ...paragraphs) => {
    for (const paragraph of paragraphs) {
      expect(refusedLines(`a\n\n${paragraph}`), paragraph).toEqual([3]);
      expect(parseLetter(`a\n\n${paragraph}`).problems[0]?.text, paragraph).toMatch(/^[A-Z{].*[.)]$/s);
    }
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
    for (const sign of [() => "-", (n: number) => `${n + 1}.`])
      expect(parseLetter(lines(sign).join("\n")).problems).toEqual([]);
    const years = lines((n) => `${1_900 + n}.`);
    expect(refusedLines(["In", ...years].join("\n"))).toEqual([52, 106]);
  });

  test("has something to read, and at most so many characters", () => {
    expect(refusedLines(" \n ")).toEqual([1]);
    expect(refusedLines("word ".repeat(MAX_BODY_LENGTH / 5).replaceAll(/(.{1000})/g, "$1\n"))).toEqual([1]);
    expect(refusedLines("word ".repeat(MAX_BODY_LENGTH / 5 - 20).replaceAll(/(.{1000})/g, "$1\n\n"))).toEqual([]);
  });

  test("reports what is wrong in the order of the lines, each once, and links whose address is in another place", () => {
    expect(refusedLines("<b>a</b>\n\n{{b}}\n\n[c](http://d.example)\n\n<i>")).toEqual([1, 3, 5, 7]);
    expect(refusedLines("See [the map][1].\n\n![A stall][1]\n\n[1]: https://map.example")).toEqual([1, 3, 5]);
    for (const body of ["a\nb\nDear {{name}},", "a\nb\n*c {*{site}} d"]) expect(refusedLines(body)).toEqual([3]);
  });
});

describe("a letter", () => {
  const letter = { subject: "News", preview_line: "", body: "Hello", reply_to: null };
  const right = { subject: null, preview_line: null, body: [], reply_to: null };

  test("needs a subject, but no preview line", () => {
    expect(checkLetter(letter)).toBeNull();
    expect(checkLetter({ ...letter, subject: " " })).toMatchObject({ subject: expect.any(String), preview_line: null });
  });

  test.each([
    ["another header or a line break", "News\r\nBcc: eve@example.com", "News\nmore", "News\u2028more"],
    ["a control character", "News\u0000"],
    ["a placeholder", "News for {{name}}"],
    ["too many characters", "n".repeat(151)],
  ])("cannot have %s in its subject or its preview line", (_, ...lines) => {
    for (const line of lines) {
      const [subject, previewLine] = ["subject", "preview line"].map((field) => {
        return expect.stringMatching(new RegExp(`^The ${field}\\b.*\\.$`));
      });
      expect(checkLetter({ ...letter, subject: line }), line).toEqual({ ...right, subject });
      expect(checkLetter({ ...letter, preview_line: line }), line).toEqual({ ...right, preview_line: previewLine });
    }
  });

  test("can greet with the answer to any question of the site, in every part, and is told those that there are", () => {
    const text = "{{town|there}} {{ role | dear friend }} {{craft|you, don't}}";
    const link = `[${text}](https://map.example)`;
    const body = `# ${text}\n\nHello **${text}**\n\n- ${text}\n\n${link}\n\n![${text}](https://map.example/a.png)`;
    expect(checkLetter({ subject: text, preview_line: text, body, reply_to: null })).toBeNull();
    const { subject = "" } = checkLetter({ ...letter, subject: "Dear {{first_name|there}}" }) ?? {};
    expect(subject).toContain("{{first_name|there}} does not match a question");
    for (const { key } of questions) expect(subject).toContain(`{{${key}|there}}`);
  });

  const others = ["Ada <ada@b.example>", "ada@b.example, eve@b.example", "ada@b.example\r\nBcc: eve@b.example"];
  test.each(["ada", "ada@", ...others])("cannot have replies sent to %j", (to) => {
    const replyTo = expect.stringContaining("not an email address");
    expect(checkLetter({ ...letter, reply_to: to })).toEqual({ ...right, reply_to: replyTo });
    expect(checkLetter({ ...letter, reply_to: "ada@example.com" })).toBeNull();
  });
});
