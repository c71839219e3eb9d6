import { expect, test, vi } from "vitest";
import { checkLetter } from "#app/email/letters/check-letter.server.ts";
import { parseLetter } from "#app/email/letters/parse-letter.server.ts";
import { openingLetter } from "#app/owner/letters/opening-letter.server.ts";
import { founder, launched, site } from "#app/site.ts";

const LAUNCH_URL = "https://app.market.example/in(side)";

/** The text of a letter's blocks. */
const textOf = (body: string) => JSON.stringify(parseLetter(body).blocks);

test.each([LAUNCH_URL, undefined])(
  "the first letter can be sent as it is, with the site's own words (%s)",
  (launchUrl) => {
    const letter = openingLetter(launchUrl);
    expect(checkLetter(letter)).toBeNull();
    for (const words of [launched.lead, launched.button, founder?.name ?? site.name]) {
      expect(textOf(letter.body)).toContain(JSON.stringify(words).slice(1, -1));
    }
    const address = launchUrl === undefined ? "{{site}}/" : "https://app.market.example/in%28side%29";
    expect(parseLetter(letter.body).blocks).toContainEqual({ type: "button", address, children: [launched.button] });
  },
);

test("a founder signs it above the site's name, and what words mean in Markdown stays unsaid", async () => {
  vi.resetModules();
  vi.doMock("#app/site.ts", async (original) => ({
    ...(await original<typeof import("#app/site.ts")>()),
    founder: { name: "Ada *Star* Maker", note: "Hello" },
    questions: [{ key: "first_name", label: "First name", wording: "What should we call you?" }],
  }));
  const { openingLetter: signed } = await import("#app/owner/letters/opening-letter.server.ts");
  const { body } = signed(LAUNCH_URL);
  vi.doUnmock("#app/site.ts");
  expect(body).toMatch(/^Hello \{\{first_name\|there\}\},\n/);
  expect(parseLetter(body).blocks.at(-1)).toEqual({
    type: "paragraph",
    children: ["Ada *Star* Maker", { type: "line-break" }, site.name],
  });
});
