import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseLetter } from "#app/features/letters/send/parse-letter.server.ts";
import { htmlToMarkdown } from "#app/owner/editor/html-to-markdown.ts";
import { pastedSamples } from "#tests/support/pasted-samples.ts";
import { fuzzCases, fuzzSeed } from "#tests/support/pool/fuzz.ts";

const seed = fuzzSeed();

const textIn = (node: unknown): string => {
  if (typeof node === "string") return node;
  const { type, children = [] } = node as { type: string; children?: unknown[] };
  return type === "line-break" ? "\n" : children.map(textIn).join("");
};
const read = (markdown: string) => parseLetter(markdown).blocks.map(textIn).join("\n\n");
const encode = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

describe("what is pasted", () => {
  test.each(pastedSamples)("from $program becomes Markdown that a letter can have", ({ html, markdown }) => {
    expect(htmlToMarkdown(html)).toBe(markdown);
    expect(parseLetter(markdown).problems).toEqual([]);
  });

  const signs = fc.constantFrom(
    ...[
      "*",
      "**",
      "_",
      "__",
      "#",
      "# ",
      "> ",
      "- ",
      "+ ",
      "1. ",
      "2) ",
      "---",
      "===",
      "~~~",
      "```",
      "`",
      "<b>",
      "<!--",
    ],
    ...[
      "&lt;",
      "&copy",
      "&#42;",
      "[a](b)",
      "![a](b)",
      "[a]: b",
      "]",
      "(",
      ")",
      "!",
      "\\",
      "\\*",
      "|-|-|",
      " ",
      " ",
      "a",
      "é",
      "5",
      "5*3*2",
    ],
  );
  const sentence = fc
    .array(signs, { minLength: 1, maxLength: 12 })
    .map((parts) => parts.join("").replace(/ +/g, " ").trim());

  test("is text, whatever signs are in it", () => {
    fc.assert(
      fc.property(fc.array(sentence.filter(Boolean), { minLength: 1, maxLength: 4 }), (paragraphs) => {
        const html = paragraphs.map((text) => `<p>${encode(text)}</p>`).join("");
        expect(read(htmlToMarkdown(html))).toBe(paragraphs.join("\n\n"));
      }),
      { seed, numRuns: fuzzCases(20_000) },
    );
  });

  test("keeps its text with any bold, italics and links, in paragraphs, lists and quotes", () => {
    const tag = fc.constantFrom("b", "i", "span", 'a href="https://map.example"');
    const piece = fc.tuple(tag, fc.constantFrom("a", " b ", "c:", "(d)", "“e” ", " ", "f*", "!", "_g"));
    const box = fc.constantFrom("p", "ul li", "ol li p", "blockquote p", "h2");
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 6 }), box, (pieces, around) => {
        const text = pieces
          .map(([, words]) => words)
          .join("")
          .replace(/ +/g, " ")
          .trim();
        fc.pre(text !== "");
        const inner = pieces.map(([name, words]) => `<${name}>${words}</${name.split(" ")[0]}>`).join("");
        const html = around.split(" ").reduceRight((content, name) => `<${name}>${content}</${name}>`, inner);
        const markdown = htmlToMarkdown(html);
        expect([markdown, read(markdown)]).toEqual([markdown, text]);
      }),
      { seed, numRuns: fuzzCases(20_000) },
    );
  });

  test("keeps lists apart, inside each other and one after the other", () => {
    const html =
      "<ul><li>a<ol start=3><li>b</ol><ol><li>c</ol></ul><ol start=4><li>d<ul><li>e</ul><li>f</ol><ul><li>g</ul>";
    const types = (node: unknown): unknown => {
      if (typeof node === "string") return node;
      const { type, start, children = [] } = node as { type: string; start?: number | null; children?: unknown[] };
      return [...(type === "list" ? [start] : []), ...children.map(types)];
    };
    expect(parseLetter(htmlToMarkdown(html)).blocks.map(types)).toEqual([
      [null, [["a"], [3, [["b"]], [["c"]]]]],
      [4, [["d"], [null, [["e"]]]], [["f"]]],
      [null, [["g"]]],
    ]);
  });

  test("can be no HTML at all, or broken", () => {
    for (const html of ["", "<", "<p", "</p>", "<!--", "<style>a", "<b><i>a</b>b</i>", "a<br><br>b", "<ul>a<li>b"])
      expect(() => htmlToMarkdown(html), html).not.toThrow();
    expect(htmlToMarkdown("a<br><br>b<br>")).toBe("a\n\nb");
    // As in browsers, a tag without its end goes with all that follows. An element without its end goes alone.
    expect(htmlToMarkdown("<p>a</p><b title='b>c")).toBe("a");
    expect(htmlToMarkdown("a<style>b<b>c</b>")).toBe("ab**c**");
  });

  // By the square of the length, `<b ` and `<style>` would exceed the time limit of a test.
  test.each(["<b ", `<b a="`, "<!a ", "<?a ", "<style>"])("can repeat %s without its end 300,000 times", (piece) => {
    expect(htmlToMarkdown(piece.repeat(300_000))).toBe("");
  });

  test.each(["<b>a", "<b></i>", "<div>a", "<ul><li>a"])("can have %s in itself 100,000 times", (piece) => {
    const letters = htmlToMarkdown(piece.repeat(100_000)).match(/a/g) ?? [];
    expect(letters).toHaveLength(piece.endsWith("a") ? 100_000 : 0);
  });
});
