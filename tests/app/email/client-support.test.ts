import { expect, test } from "vitest";
import { renderEmail } from "#app/email/render-email.server.ts";
import { allEmails, claimed, emailContext, subscriber } from "#tests/support/pool/all-emails.ts";
import { supportProblems } from "#tests/support/pool/caniemail.ts";

test.each(allEmails)(
  "the %s email consists of what Gmail, Outlook for Windows and Apple Mail show",
  async (_, claim) => {
    expect(await supportProblems((await renderEmail(claim, emailContext)).html)).toEqual([]);
  },
);

test("the pictures at the top of the welcome email are the same for everyone", async () => {
  const { html } = await renderEmail(claimed(subscriber), emailContext);
  expect(Array.from(html.matchAll(/(?:src|srcset)="([^"]+)"/g), ([, url]) => url)).toEqual([
    `${emailContext.siteUrl}/email/logo.png`,
    `${emailContext.siteUrl}/email/market-dark.png`,
    `${emailContext.siteUrl}/email/market-light.png`,
  ]);
});
