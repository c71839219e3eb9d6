import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { pictureMarkdown } from "#app/features/letters/pictures/picture-markdown.ts";
import { findPublicLetter } from "#app/features/letters/public/public-letters.server.ts";
import { letterPictures } from "#app/features/letters/public/read-body.server.ts";
import { createLetter } from "#app/features/letters/send/letters.server.ts";
import { parseLetter } from "#app/features/letters/send/parse-letter.server.ts";
import { renderLetter } from "#app/features/letters/send/render-letter.server.ts";
import { letters } from "#app/server/db/schema/letters.server.ts";
import { db, freshDatabaseForEachTest, needs } from "#tests/support/pool/start.ts";

needs("letters");

freshDatabaseForEachTest();

const KEY = "0123456789abcdef0123456789abcdef";
const PATH = `/pictures/${KEY}-1600x1200.jpg`;
const MARKDOWN = `![A stall]({{site}}${PATH})`;

const problems = (body: string) => parseLetter(body).problems.map(({ text }) => text);

describe("in a letter, a picture of the owner", () => {
  test("is an image with its size, alone or as a link", () => {
    const size = { width: 1600, height: 1200 };
    const image = { type: "image", source: `{{site}}${PATH}`, alt: "A stall", size };
    expect(parseLetter(MARKDOWN)).toEqual({ blocks: [{ ...image, address: null }], problems: [] });
    const linked = parseLetter(`[${MARKDOWN}](https://example.com)`);
    expect(linked).toEqual({ blocks: [{ ...image, address: "https://example.com" }], problems: [] });
  });

  test("needs a description, a paragraph of its own, and its whole address", () => {
    expect(problems(MARKDOWN.replace("A stall", " "))).toEqual([expect.stringMatching(/^Describe the image/)]);
    expect(problems(`Hello ${MARKDOWN}`)).toEqual([expect.stringMatching(/^An image stands alone/)]);
    for (const path of [
      "/logo.png",
      "/pictures/x.jpg",
      PATH.replace("jpg", "svg"),
      `${PATH}?x`,
      `${PATH}/../../owner`,
      "",
    ]) {
      expect(problems(`![A stall]({{site}}${path})`), path).toEqual([
        expect.stringMatching(/^Behind \{\{site\}\}, an image has the address of one of your pictures: /),
      ]);
    }
    expect(problems("![A stall]({{unsubscribe}})")).toEqual([expect.stringMatching(/^An image has no placeholder/)]);
  });

  test.each(["A [stall] with *stars*", "back\\slash", "<b>&amp;</b> `x` _y_ !", "at 5 pm: 1. tea", "two\n lines"])(
    "may be described with any signs: %s",
    (alt) => {
      const written = pictureMarkdown(alt, { key: KEY, type: "jpeg", width: 1600, height: 1200 });
      expect(parseLetter(written)).toMatchObject({ blocks: [{ alt: alt.replace(/\s+/g, " ") }], problems: [] });
    },
  );

  test.each([
    ["https://site.example", "1600x1200", 504, 378],
    ["http://localhost:8787", "300x200", 300, 200],
    ["https://site.example", "1600x1", 504, 1],
  ])("has an absolute address and its size in the email of %s, %s", (siteUrl, size, width, height) => {
    const content = { subject: "News", preview_line: "", body: MARKDOWN.replace("1600x1200", size) };
    const links = { unsubscribe: "https://a", entry: "https://b", web: null };
    const email = renderLetter(content, links, { siteUrl, controller: { name: "A", address: "B" } });
    const source = `${siteUrl}${PATH.replace("1600x1200", size)}`;
    expect(email.html).toContain(`<img src="${source}" alt="A stall" width="${width}" height="${height}"`);
    expect(email.text).toContain("[A stall]");
    expect(email.html + email.text).not.toContain("{{");
  });
});

test("the page of a public letter has pictures of the owner at their own addresses, those of other sites at the letter's", async () => {
  const body = `${MARKDOWN}\n\n> ![Far](https://far.example/a.png)`;
  const id = await createLetter(db, { subject: "News", body, is_public: true }, 1);
  await db.update(letters).set({ state: "finished", started_at: 1 }).where(eq(letters.id, id));
  const letter = await findPublicLetter(db, `${id}`, "https://site.example");
  const [name] = (await letterPictures(body)).keys();
  expect(letter?.blocks).toMatchObject([
    { type: "image", source: PATH, size: { width: 1600, height: 1200 } },
    { type: "quote", children: [{ source: `/letters/${id}/pictures/${name}` }] },
  ]);
  expect(await letterPictures(body)).toEqual(new Map([[name, "https://far.example/a.png"]]));
});
