import { expect, test } from "vitest";
import { renderLetter } from "#app/features/letters/send/render-letter.server.ts";
import { emailContext } from "#tests/support/pool/all-emails.ts";
import { supportProblems } from "#tests/support/pool/caniemail.ts";

/** A letter with every block. */
const letter = {
  subject: "The market opens",
  preview_line: "Your stall is ready",
  body: `# One\n\n## Two\n\n### Three\n\nHello, **dear** *reader*.  \nSee [the map](https://map.site/).\n
**[Open the map](https://map.site/)**\n\n![A stall](https://map.site/stall.png)\n
[![A host](https://map.site/host.jpg)](https://map.site/)\n\n- First\n  1. Inner\n\n> Quoted\n\n---`,
};

test("a letter consists of what Gmail, Outlook for Windows and Apple Mail show", async () => {
  const { siteUrl } = emailContext;
  const links = { unsubscribe: `${siteUrl}/u`, entry: `${siteUrl}/e`, web: null };
  const { html } = renderLetter(letter, links, emailContext);
  expect(await supportProblems(html)).toEqual([]);
});
