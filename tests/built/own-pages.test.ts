import { expect, test } from "vitest";
import { confirmToken, createEntry, dataToken, read, unsubscribeToken } from "#tests/support/pool/built.ts";
import { freshStorageForEachTest } from "#tests/support/pool/start.ts";

/* The drawings of the pages behind links in emails. */

freshStorageForEachTest();

const sceneOn = async (path: string) => {
  const main = /<main.*<\/main>/s.exec((await read(path)).body)?.[0] ?? "";
  for (const drawing of main.match(/<svg[^>]*>/g) ?? []) expect(drawing, path).toContain('aria-hidden="true"');
  return /<svg class="page-scene".*?<\/svg>/s.exec(main)?.[0] ?? path;
};

test("each page has a drawing that fits what it says, hidden from assistive technology", async () => {
  const active = await createEntry("active", "ada@example.com");
  const left = await createEntry("unsubscribed", "bob@example.com");
  const unconfirmed = await createEntry("unconfirmed", "cy@example.com");
  const pages = {
    confirm: `/confirm/${await confirmToken(unconfirmed)}`,
    entry: `/your-data/${await dataToken(active)}`,
    unsubscribe: `/unsubscribe/${await unsubscribeToken(active)}`,
    broken: "/your-data/1.broken",
  };
  const scenes = await Promise.all(Object.values(pages).map(sceneOn));
  expect(new Set(scenes).size).toBe(4);
  expect(scenes.every((scene) => scene.startsWith("<svg"))).toBe(true);
  const [envelope, , packing, pitch] = scenes;
  expect(await sceneOn(`/your-data/${await dataToken(left)}`)).toBe(packing);
  expect(await sceneOn(`/unsubscribe/${await unsubscribeToken(left)}`)).toBe(packing);
  expect(await sceneOn(`/confirm/${await confirmToken(left)}`)).toBe(packing);
  expect(await sceneOn(`/confirm/${await confirmToken(active)}`)).toBe(envelope);
  for (const path of ["/unsubscribe/1.broken", "/confirm/1.broken"]) expect(await sceneOn(path), path).toBe(pitch);
});
