import { expect, test, vi } from "vitest";
import { checkLetter } from "#app/features/letters/send/check-letter.server.ts";
import { parseLetter } from "#app/features/letters/send/parse-letter.server.ts";
import { openingLetter } from "#app/features/letters/write/opening-letter.server.ts";
import { site } from "#app/site.ts";

test("the first letter can be sent as it is, and a founder signs it, with no sign read as Markdown", async () => {
  vi.resetModules();
  vi.doMock("#app/site.ts", async (original) => ({
    ...(await original<typeof import("#app/site.ts")>()),
    founder: { name: "Ada *Star* Maker", note: "Hello" },
    questions: [{ key: "first_name", label: "First name", wording: "What should we call you?" }],
  }));
  const { openingLetter: signed } = await import("#app/features/letters/write/opening-letter.server.ts");
  const { body } = signed("https://app.market.example/in(side)");
  vi.doUnmock("#app/site.ts");
  expect(checkLetter(openingLetter("https://app.market.example/in(side)"))).toBeNull();
  expect(body).toMatch(/^Hello \{\{first_name\|there\}\},\n/);
  const children = ["Ada *Star* Maker", { type: "line-break" }, site.name];
  expect(parseLetter(body).blocks.at(-1)).toEqual({ type: "paragraph", children });
});
