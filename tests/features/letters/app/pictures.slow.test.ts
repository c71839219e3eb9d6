import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { deletePicture, listPictures } from "#app/features/letters/pictures/listed-pictures.server.ts";
import { pictureMarkdown } from "#app/features/letters/pictures/picture-markdown.ts";
import { createLetter, deleteLetter, updateLetter } from "#app/features/letters/send/letters.server.ts";
import { servePicture } from "#app/features/pictures/serve-picture.server.ts";
import { type AddressedPicture, picturePath } from "#app/owner/pictures/picture-path.ts";
import { addPicture, deleteUnusedPictures, findPicture } from "#app/owner/pictures/pictures.server.ts";
import { denyAllCsp } from "#app/server/http/csp.server.ts";
import { DAY, HOUR } from "#app/server/time/units.ts";
import { db, execute, freshStorageForEachTest, needs, refuseInserts, rows } from "#tests/support/pool/start.ts";

needs("letters");

const log = freshStorageForEachTest();

const START = Date.UTC(2026, 5, 1);

function randomBytes(length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  for (let start = 0; start < length; start += 65_536) crypto.getRandomValues(bytes.subarray(start, start + 65_536));
  return bytes;
}

function add(bytes = randomBytes(10), now = START) {
  return addPicture(db, { type: "jpeg", width: 800, height: 600, bytes, alt: "A stall" }, now);
}

const keys = async () => (await rows<{ key: string }>("pictures")).map(({ key }) => key);

describe("stored pictures", () => {
  test.each([1, 2, 3, 47_999, 48_000, 48_001, 400 * 1_024])("%i bytes come back as they were", async (length) => {
    const bytes = randomBytes(length);
    const { key } = await add(bytes);
    const found = await findPicture(db, key);
    expect(found).toMatchObject({ key, type: "jpeg", width: 800, height: 600, size: length, alt: "A stall" });
    expect(found?.bytes.toHex()).toBe(bytes.toHex());
  });

  test("can be restored from an export: every row is a statement that D1 accepts", async () => {
    const { key } = await add(randomBytes(400 * 1_024));
    const before = await findPicture(db, key);
    const pieces = await rows<{ picture_key: string; number: number; data: string }>("picture_pieces");
    await execute("DELETE FROM picture_pieces");
    for (const { picture_key, number, data } of pieces) {
      await env.DB.exec(`INSERT INTO picture_pieces VALUES ('${picture_key}', ${number}, '${data}')`);
    }
    expect(await findPicture(db, key)).toEqual(before);
  });

  test("are stored whole or not at all, and deleted with their pieces", async () => {
    await refuseInserts("picture_pieces", "NEW.number = 1");
    await expect(add(randomBytes(100_000))).rejects.toThrow();
    expect([await rows("pictures"), await rows("picture_pieces")]).toEqual([[], []]);
    const { key } = await add();
    expect([await deletePicture(db, key), await deletePicture(db, key)]).toEqual([true, false]);
    expect([await rows("pictures"), await rows("picture_pieces")]).toEqual([[], []]);
  });

  test("are listed newest first, in parts", async () => {
    const added = [];
    for (let n = 0; n < 5; n += 1) added.unshift((await add(randomBytes(1), START + n)).key);
    const listed = async (skipped: number) => (await listPictures(db, { limit: 3, skipped })).map(({ key }) => key);
    expect([await listed(0), await listed(3)]).toEqual([added.slice(0, 3), added.slice(3)]);
  });
});

describe("a picture that nothing shows", () => {
  const runs = async (from: number, until: number) => {
    for (let now = from; now <= until; now += HOUR) await deleteUnusedPictures(db, now);
  };
  const text = (picture: AddressedPicture) => ({
    subject: "",
    body: `Hello.\n\n${pictureMarkdown("A stall", picture)}`,
  });

  test("is deleted after 30 days; one in a letter or a follow-up stays", async () => {
    const [unused, inLetter, inStep] = [await add(), await add(), await add()];
    await createLetter(db, text(inLetter), START);
    await execute(
      "INSERT INTO series_steps (days, hour, subject, preview_line, body, created_at, updated_at) VALUES (1, 9, '', '', ?, 0, 0)",
      text(inStep).body,
    );
    await runs(START, START + 30 * DAY - HOUR);
    expect(await keys()).toHaveLength(3);
    await runs(START + 30 * DAY, START + 31 * DAY);
    expect((await keys()).toSorted()).toEqual([inLetter.key, inStep.key].toSorted());
    await runs(START + 31 * DAY, START + 65 * DAY);
    expect(await keys()).not.toContain(unused.key);
    expect(await keys()).toHaveLength(2);
    expect([await deletePicture(db, inLetter.key), await deletePicture(db, inStep.key)]).toEqual([false, false]);
  });

  test("since its letter was erased or changed is kept for 30 days more", async () => {
    const [erased, changed] = [await add(), await add()];
    const erasedId = await createLetter(db, text(erased), START);
    const changedId = await createLetter(db, text(changed), START);
    await runs(START, START + 40 * DAY);
    await deleteLetter(db, erasedId);
    await updateLetter(
      db,
      { id: changedId, updated_at: START },
      { subject: "", preview_line: "", body: "Bye.", reply_to: null },
      START + 40 * DAY,
    );
    await runs(START + 40 * DAY, START + 70 * DAY);
    expect(await keys()).toHaveLength(2);
    await runs(START + 70 * DAY, START + 72 * DAY);
    expect(await keys()).toEqual([]);
  });

  test("comes into a letter again in time, and stays", async () => {
    const picture = await add();
    await runs(START, START + 29 * DAY);
    await createLetter(db, text(picture), START);
    await runs(START + 29 * DAY, START + 62 * DAY);
    expect(await keys()).toEqual([picture.key]);
  });
});

describe("a picture's address", () => {
  const SITE = "https://site.example";
  let opened = 0;

  async function site() {
    opened += 1;
    const responses = await caches.open(`pictures-${opened}`);
    return async (path: string, headers: Record<string, string> = {}) => {
      const execution = createExecutionContext();
      const waitUntil = (work: Promise<unknown>) => execution.waitUntil(work);
      const deps = { db, siteUrl: SITE, responses, waitUntil };
      const response = await servePicture(deps, new Request(SITE + path, { headers }));
      const body = await response.bytes();
      await waitOnExecutionContext(execution);
      return { status: response.status, headers: Object.fromEntries(response.headers), body };
    };
  }

  test("serves it for a year, with a policy that allows nothing, and reads it from the database once", async () => {
    const bytes = randomBytes(400 * 1_024);
    const picture = await add(bytes);
    const get = await site();
    const path = picturePath(picture);
    const first = await get(path);
    // Not in the database any more: from the cache.
    await execute("DELETE FROM pictures");
    const second = await get(path);
    for (const { status, headers, body } of [first, second]) {
      expect(status).toBe(200);
      expect(body.toHex()).toBe(bytes.toHex());
      expect(headers).toMatchObject({
        "content-type": "image/jpeg",
        "cache-control": "public, max-age=31536000, immutable",
        "content-security-policy": denyAllCsp,
        "x-content-type-options": "nosniff",
        etag: `"${picture.key}"`,
      });
    }
    for (const tag of [first.headers["etag"], `W/${first.headers["etag"]}`, `"other", "${picture.key}"`, "*"]) {
      const { status, body } = await get(path, { "If-None-Match": tag ?? "" });
      expect([status, body.length]).toEqual([304, 0]);
    }
    expect((await get(path, { "If-None-Match": '"other"' })).status).toBe(200);
    expect(log).toEqual([]);
  });

  test("of another size, type or spelling is 404, as is one of no picture, and is not cached", async () => {
    const picture = await add();
    const get = await site();
    const path = picturePath(picture);
    for (const wrong of [
      path.replace("800x600", "801x600"),
      path.replace(".jpg", ".png"),
      path.replace(".jpg", ".svg"),
      path.replace(".jpg", ""),
      path.toUpperCase().replace("/PICTURES", "/pictures"),
      `${path}?width=10`,
      path.replace(picture.key, "0".repeat(32)),
      "/pictures/..%2F..%2Fowner",
      "/pictures/",
    ]) {
      for (const tag of ['"other"', "*"]) {
        const response = await get(wrong, { "If-None-Match": tag });
        expect([response.status, response.headers["cache-control"]], wrong).toEqual([404, "no-store"]);
      }
    }
  });
});
