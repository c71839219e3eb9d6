import { expect, test } from "vitest";
import { parseLetter } from "#app/features/letters/send/parse-letter.server.ts";

test("a newsletter of 3,000 words with contents, links, lists and emphasis is within the limits of a letter", () => {
  const link = (text: string, path: string) =>
    `[${text}](https://market.example/${path}?utm_source=letter&utm_medium=email&utm_campaign=spring_fair)`;
  const chapters = Array.from({ length: 13 }, (_, n) => {
    const sentence = `On *Saturday* we open **${n + 3} new pitches** at ${link("the old hall", `pitch_${n}`)} \\& beyond.`;
    const paragraph = `${sentence} Bring the family, a bag and some time: there is more to see than in any year before. `;
    const stalls = [1, 2, 3, 4, 5, 6, 7, 8].map((k) => `- **Stall ${k}**: ${link("bread & cheese", `${k}`)}, _daily_`);
    const quote = "> “Best fair of the year.”";
    return ["## Fairs", paragraph.repeat(3), paragraph.repeat(3), stalls.join("\n"), quote, `**${link("Book", "b")}**`];
  });
  const contents = chapters.map((_, n) => `${n + 1}. ${link("Fairs of the week", `week_${n}`)}`).join("\n");
  const body = ["# Spring", contents, ...chapters.flat(), "---", "[Unsubscribe]({{unsubscribe}})"].join("\n\n");
  expect(body.replaceAll(/\]\([^)]*\)/g, "").match(/[\w’]+/g)?.length).toBeGreaterThan(3_000);
  expect(parseLetter(body).problems).toEqual([]);
});

test.each(["`a`\n\n", "``a ", "{{a}} ", "- - * - * - ", "a<!", "a <!--", "<?a", "\\\\<!a"])(
  "what is slow to parse, over and over, is refused: %j",
  (unit) => {
    expect(parseLetter(unit.repeat(100)).problems).not.toEqual([]);
  },
);
