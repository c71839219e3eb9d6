import { expect, test } from "vitest";
import { renderLetter } from "#app/email/letters/render-letter.server.ts";
import { renderEmail } from "#app/email/render-email.server.ts";
import { allEmails, claimed, emailContext, subscriber } from "#tests/support/pool/all-emails.ts";
import { supportProblems } from "#tests/support/pool/caniemail.ts";

const { siteUrl } = emailContext;

/** A letter with every block. */
const letter = {
  subject: "The market opens",
  previewLine: "Your stall is ready",
  body: `# One\n\n## Two\n\n### Three\n\nHello, **dear** *reader*.  \nSee [the map](https://map.site/).\n
**[Open the map](https://map.site/)**\n\n![A stall](https://map.site/stall.png)\n
[![A host](https://map.site/host.jpg)](https://map.site/)\n\n- First\n  1. Inner\n\n> Quoted\n\n---`,
};
const rendered = renderLetter(letter, { unsubscribe: `${siteUrl}/u`, entry: `${siteUrl}/e`, web: null }, emailContext);

test.each([
  ...allEmails.map(([name, claim]) => [`the ${name} email`, renderEmail(claim, emailContext)] as const),
  ["a letter", rendered] as const,
])("%s consists of what Gmail, Outlook for Windows and Apple Mail show", async (_, email) => {
  expect(await supportProblems((await email).html)).toEqual([]);
});

test("the pictures at the top of the welcome email are the same for everyone", async () => {
  const { html } = await renderEmail(claimed(subscriber), emailContext);
  const pictures = ["logo", "market-dark", "market-light"].map((name) => `${siteUrl}/email/${name}.png`);
  expect(Array.from(html.matchAll(/(?:src|srcset)="([^"]+)"/g), ([, url]) => url)).toEqual(pictures);
});
