import fc from "fast-check";
import { expect, test } from "vitest";
import { parseLetter } from "#app/features/letters/send/parse-letter.server.ts";
import { renderLetter } from "#app/features/letters/send/render-letter.server.ts";
import { emailContext as context } from "#tests/support/pool/all-emails.ts";
import { fuzzCases, fuzzSeed } from "#tests/support/pool/fuzz.ts";
import { words } from "#tests/support/words.ts";

const seed = fuzzSeed();

const { siteUrl } = context;
const links = { unsubscribe: `${siteUrl}/unsubscribe/7.TOKEN`, entry: `${siteUrl}/your-data/7-0.TOKEN`, web: null };

/** Pieces that Markdown, HTML and placeholders consist of. */
const piece = fc.oneof(
  fc.constantFrom("\n", "\n\n", "# ", "> ", "- ", "1. ", "    ", "---", "*", "**", "_", "`", "```", "\\", "|", "\t"),
  fc.constantFrom(...words("[a]( ![b]( ) ] https://map.example javascript:alert(1) data:text/html,x //e.example")),
  fc.constantFrom(...words("<b> <script> <!-- &colon; &#10; &lt; {{site}} {{unsubscribe}} {{name}} $& <")),
  fc.string({ unit: "binary", maxLength: 6 }),
);

const allowed = words(`html head meta title style body div table tbody tr td span a p h1 h2 h3 strong em br ul ol li
  blockquote hr img picture source`);

test("any text is refused with lines that it has, or becomes an email with safe addresses and no markup of its own", () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const body = pieces.join("");
      const { problems } = parseLetter(body);
      const lines = body.split("\n").length;
      for (const { line, text } of problems)
        expect([line >= 1 && line <= lines, text]).toEqual([true, expect.stringMatching(/[.)]$/)]);
      if (problems.length > 0) return;
      const { html, text } = renderLetter({ subject: "News", preview_line: "", body }, links, context);
      for (const [, address] of html.matchAll(/ (?:href|src)="([^"]*)"/g))
        expect(address).toMatch(/^(https:\/\/|mailto:)/i);
      const tags = new Set(Array.from(html.matchAll(/<([a-z0-9]+)/g), ([, tag]) => tag));
      expect([...tags].filter((tag) => !allowed.includes(tag ?? ""))).toEqual([]);
      expect(html).not.toMatch(/\{\{(site|unsubscribe|entry)\}\}/);
      expect(text).toContain(links.unsubscribe);
    }),
    { seed, numRuns: fuzzCases(3_000) },
  );
});
