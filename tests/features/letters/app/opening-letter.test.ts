import { expect, test } from "vitest";
import { checkLetter } from "#app/features/letters/send/check-letter.server.ts";
import { parseLetter } from "#app/features/letters/send/parse-letter.server.ts";
import { openingLetter } from "#app/features/letters/write/opening-letter.server.ts";
import { site } from "#app/site.ts";
import { withSettings } from "#tests/support/pool/settings.ts";

test("the first letter can be sent as it is, and a founder signs it, with no sign read as Markdown", () => {
  const address = "https://app.market.example/in(side)";
  expect(checkLetter(openingLetter(address))).toBeNull();
  withSettings({
    founder: { name: "Ada *Star* Maker", note: "Hello" },
    questions: [{ key: "first_name", label: "First name", wording: "What should we call you?" }],
  });
  const letter = openingLetter(address);
  expect(checkLetter(letter)).toBeNull();
  expect(letter.body).toMatch(/^Hello \{\{first_name\|there\}\},\n/);
  const children = ["Ada *Star* Maker", { type: "line-break" }, site.name];
  expect(parseLetter(letter.body).blocks.at(-1)).toEqual({ type: "paragraph", children });
});
