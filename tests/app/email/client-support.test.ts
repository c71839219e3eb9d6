import { expect, test } from "vitest";
import { renderLetter } from "#app/email/letters/render-letter.server.ts";
import { renderEmail } from "#app/email/render-email.server.ts";
import { allEmails, emailContext } from "#tests/support/pool/all-emails.ts";
import {
  attributes,
  elements,
  plainAttributes,
  plainElements,
  problemOf,
  properties,
} from "#tests/support/pool/caniemail.ts";

const { siteUrl, controller } = emailContext;

/** A letter with every block. */
const letter = {
  subject: "The market opens",
  previewLine: "Your stall is ready",
  body: `# One\n\n## Two\n\n### Three\n\nHello, **dear** *reader*.  \nSee [the map](https://map.site/).\n
**[Open the map](https://map.site/)**\n\n![A stall](https://map.site/stall.png)\n
[![A host](https://map.site/host.jpg)](https://map.site/)\n\n- First\n  1. Inner\n\n> Quoted\n\n---`,
};

const rendered: [name: string, html: string][] = [
  ...(await Promise.all(
    allEmails.map(
      async ([name, claim]): Promise<[string, string]> => [name, (await renderEmail(claim, emailContext)).html],
    ),
  )),
  ["letter", renderLetter(letter, { unsubscribe: `${siteUrl}/u`, web: null }, { siteUrl, controller }).html],
];

test.each(rendered)("the %s email consists of what Gmail, Outlook for Windows and Apple Mail show", async (_, html) => {
  const problems = new Set<string>();
  const check = (name: string, problem: string | null) => problem !== null && problems.add(`${name} ${problem}`);
  const onElement = (element: Element) => {
    // Pairs, although the type calls them `Attr`.
    const given = new Map(
      Array.from(element.attributes as unknown as Iterable<string[]>, ([name = "", value = ""]) => [
        name,
        value.replaceAll("&quot;", '"'),
      ]),
    );
    const use = { element: element.tagName, value: "", attributes: given };
    if (!plainElements.includes(use.element)) check(`<${use.element}>`, problemOf(elements[use.element], use));
    for (const [name, value] of given) {
      if (plainAttributes.includes(name)) continue;
      check(`${name}="${value}" on <${use.element}>`, problemOf(attributes[name], { ...use, value }));
    }
    for (const declaration of (given.get("style") ?? "").split(";").filter(Boolean)) {
      const [, name = "", value = ""] = /^([\w-]+):(.+)$/.exec(declaration) ?? [];
      check(`${declaration} on <${use.element}>`, problemOf(properties[name], { ...use, value }));
    }
  };
  await new HTMLRewriter().on("*", { element: onElement }).transform(new Response(html)).text();
  expect([...problems]).toEqual([]);
  // Gmail ignores a style sheet of more than 16 KB.
  expect(/<style>(.*)<\/style>/s.exec(html)?.[1]?.length).toBeLessThan(16_384);
});

test("the pictures at the top of the welcome email are the same for everyone", async () => {
  const [, welcome] = allEmails.find(([name]) => name === "welcome") ?? [];
  if (welcome === undefined) throw new Error("no welcome email");
  const other = { ...welcome, id: crypto.randomUUID(), entryId: 8, email: "bob@example.com", createdAt: 99 };
  const pictures = async (claim: typeof welcome) =>
    Array.from((await renderEmail(claim, emailContext)).html.matchAll(/(?:src|srcset)="([^"]+)"/g), ([, url]) => url);
  expect(await pictures(welcome)).toEqual(await pictures(other));
  expect(await pictures(welcome)).toEqual([
    `${siteUrl}/email/logo.png`,
    `${siteUrl}/email/market-dark.png`,
    `${siteUrl}/email/market-light.png`,
  ]);
});
