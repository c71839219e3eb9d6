import { expect, test } from "vitest";
import { renderEmail } from "#app/email/render-email.server.ts";
import { allEmails, emailContext } from "#tests/support/pool/all-emails.ts";
import { supportProblems } from "#tests/support/pool/caniemail.ts";

test.each(allEmails)(
  "the %s email consists of what Gmail, Outlook for Windows and Apple Mail show",
  async (_, claim) => {
    expect(await supportProblems((await renderEmail(claim, emailContext)).html)).toEqual([]);
  },
);

test("the pictures at the top of the welcome email are the same for everyone", async () => {
  const [, welcome] = allEmails.find(([name]) => name === "welcome") ?? [];
  if (welcome === undefined) throw new Error("no welcome email");
  const other = { ...welcome, id: crypto.randomUUID(), entryId: 8, email: "bob@example.com", createdAt: 99 };
  const pictures = async (claim: typeof welcome) =>
    Array.from((await renderEmail(claim, emailContext)).html.matchAll(/(?:src|srcset)="([^"]+)"/g), ([, url]) => url);
  expect(await pictures(welcome)).toEqual(await pictures(other));
  expect(await pictures(welcome)).toEqual([
    `${emailContext.siteUrl}/email/logo.png`,
    `${emailContext.siteUrl}/email/market-dark.png`,
    `${emailContext.siteUrl}/email/market-light.png`,
  ]);
});
