import { expect, test } from "vitest";
import { picturePath } from "#app/owner/pictures/picture-path.ts";
import { addPicture, deleteUnusedPictures } from "#app/owner/pictures/pictures.server.ts";
import { DAY, HOUR } from "#app/server/time/units.ts";
import { db, execute, freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

const START = Date.UTC(2026, 5, 1);

test("a photograph that the settings have is never deleted; once replaced, it stays as long as it can be brought back", async () => {
  const described = { type: "jpeg", width: 320, height: 320, alt: "Ada" } as const;
  const photo = await addPicture(db, { ...described, bytes: new Uint8Array([1]) }, START);
  const other = await addPicture(db, { ...described, bytes: new Uint8Array([2]) }, START);
  const keys = async () => (await rows<{ key: string }>("pictures")).map(({ key }) => key);
  const runs = async (from: number, until: number) => {
    for (let now = from; now <= until; now += 6 * HOUR) await deleteUnusedPictures(db, now);
  };
  await execute("INSERT INTO settings VALUES (1, ?, 0)", JSON.stringify({ FOUNDER_PHOTO: picturePath(photo) }));
  await runs(START, START + 100 * DAY);
  expect(await keys()).toEqual([photo.key]);
  expect(await keys()).not.toContain(other.key);

  const fields = JSON.stringify([["founder-photo", picturePath(photo)]]);
  await execute("UPDATE settings SET stored = '{}'");
  await execute("INSERT INTO saved_versions (path, fields, saved_at) VALUES ('/owner/settings/founder', ?, 0)", fields);
  await runs(START + 100 * DAY, START + 200 * DAY);
  expect(await keys()).toEqual([photo.key]);
  await execute("DELETE FROM saved_versions");
  await runs(START + 200 * DAY, START + 232 * DAY);
  expect(await keys()).toEqual([]);
});
