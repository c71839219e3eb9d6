import { expect, test } from "vitest";
import { letterPictures, MAX_REMEMBERED } from "#app/pages/letters/read-body.server.ts";
import { pictureHash } from "#app/server/pictures/picture-hash.server.ts";

test("the pictures of the latest letters are remembered, so that a letter is parsed once for all its pictures", async () => {
  const [first, second] = ["https://pictures.example/1.png", "https://pictures.example/2.png"];
  const body = `![One](${first})\n\n- ![Two](${second})`;
  const pictures = await letterPictures(body);
  expect([...pictures]).toEqual([
    [await pictureHash(first), first],
    [await pictureHash(second), second],
  ]);
  for (let nth = 1; nth < MAX_REMEMBERED; nth += 1) await letterPictures(`Letter ${nth}`);
  expect(await letterPictures(body)).toBe(pictures);
  for (let nth = 1; nth <= MAX_REMEMBERED; nth += 1) await letterPictures(`Later letter ${nth}`);
  expect(await letterPictures(body)).not.toBe(pictures);
  expect(await letterPictures(body)).toEqual(pictures);
});
