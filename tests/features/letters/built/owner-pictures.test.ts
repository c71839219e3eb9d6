import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import {
  concat,
  exifSegment,
  extras,
  includes,
  jpeg,
  png,
  SECRET,
} from "#tests/features/pictures/pool/picture-files.ts";
import { bindingsWith, visibleText } from "#tests/support/pool/built.ts";
import { postMegabytes } from "#tests/support/pool/large-body.ts";
import { loggedActions, OWNER, ownerBrowser, problemsOf, signedInBrowser } from "#tests/support/pool/owner.ts";
import { freshStorageForEachTest, needs, rows } from "#tests/support/pool/start.ts";
// @ts-expect-error: build output, which has no types.
import built from "../../../../build/server/index.js";

/* The owner uploads pictures, with and without the editor's script. */

needs("letters");

freshStorageForEachTest();

const browser = signedInBrowser();

interface Upload {
  name?: string;
  alt?: string;
  accept?: string;
  origin?: string;
  from?: typeof browser;
}

function upload(file: Uint8Array<ArrayBuffer> | null, options: Upload = {}) {
  const { name = "stall.jpg", alt = "A stall", accept = "text/html", origin = env.SITE_URL, from = browser } = options;
  const body = new FormData();
  body.set("intent", "add");
  body.set("picture", new File(file === null ? [] : [file], name, { type: "image/jpeg" }));
  body.set("alt", alt);
  return from.request("/owner/pictures", { method: "POST", body, headers: { Origin: origin, Accept: accept } });
}

/** The bytes that anyone gets at a picture's address. */
async function served(path: string, method = "GET") {
  const execution = { waitUntil: () => {}, passThroughOnException: () => {} };
  const request = new Request(env.SITE_URL + path, { method, headers: { Cookie: "a=b" } });
  const response: Response = await built.fetch(request, bindingsWith({ OWNER_EMAIL: OWNER }), execution);
  return { status: response.status, headers: response.headers, bytes: await response.bytes() };
}

const addressIn = (page: string) => /src="(\/pictures\/[^"]+)"/.exec(page)?.[1] ?? "none";
const stored = async () => (await rows("pictures")).length + (await rows("picture_pieces")).length;

describe("without script", () => {
  test("a picture of 390 KB with GPS data is stored without it, turned as it was, and listed with its Markdown", async () => {
    const file = jpeg({ before: [exifSegment(6), ...extras], data: 390 * 1_024, after: SECRET });
    const { status, headers } = await upload(file, { alt: "A stall\n[by night]" });
    expect([status, headers.get("Location")]).toEqual([303, "/owner/pictures?done=picture-added"]);
    const { body } = await browser.request("/owner/pictures?done=picture-added");
    const path = addressIn(body);
    expect(path).toMatch(/^\/pictures\/[0-9a-f]{32}-600x800\.jpg$/);
    expect(body).toContain(`value="![A stall \\[by night\\]]({{site}}${path})"`);
    expect(visibleText(body)).toContain("600 × 800 pixels, 391 KB");
    const { bytes } = await served(path);
    expect(bytes.length).toBeGreaterThan(390 * 1_024);
    expect(includes(bytes, SECRET)).toBe(false);
    const turned = concat("Exif\0\0MM\0*", [0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]);
    expect(includes(bytes, concat([0xff, 0xe1, 0, 34], turned))).toBe(true);
    expect(await rows("pictures")).toMatchObject([
      { type: "jpeg", width: 600, height: 800, alt: "A stall [by night]" },
    ]);
    const { key } = (await rows<{ key: string }>("pictures"))[0] ?? {};
    expect(await loggedActions()).toEqual([["add-picture", { name: key, size: "391 KB" }]]);
  });

  test.each<[what: string, file: Uint8Array<ArrayBuffer> | null, options: Upload, problems: Record<string, RegExp>]>([
    ["no file", null, {}, { picture: /^Choose a picture\.$/ }],
    ["a file that is no picture", new TextEncoder().encode("<svg/>"), {}, { picture: /^This is no picture/ }],
    [
      "too many pixels",
      jpeg({ width: 4_032, height: 3_024 }),
      {},
      { picture: /^The picture has 4,032 × 3,024 pixels/ },
    ],
    ["410 KB", jpeg({ data: 410 * 1_024 }), {}, { picture: /^The picture is larger than 400 KB .* Make it smaller/ }],
    ["8 MB", jpeg({ data: 8_000_000 }), {}, { picture: /^The picture is larger than 400 KB .* Make it smaller/ }],
    ["no description", jpeg(), { alt: " " }, { alt: /^Describe the picture in a few words/ }],
    ["a long description", jpeg(), { alt: "a".repeat(301) }, { alt: /^The description has 301 characters/ }],
  ])("%s is refused with a sentence, and nothing is stored", async (_, file, options, problems) => {
    const { status, body } = await upload(file, options);
    expect(status).toBe(file !== null && file.length > 460_000 ? 413 : 422);
    expect(problemsOf(body)).toEqual(
      Object.fromEntries(Object.entries(problems).map(([id, text]) => [id, expect.stringMatching(text)])),
    );
    expect(body).toContain("The picture was not saved.");
    expect(await stored()).toBe(0);
    const asJson = await upload(file, { ...options, accept: "application/json" });
    expect(asJson.status).toBe(status);
    expect(JSON.parse(asJson.body)).toEqual({ problem: expect.stringMatching(Object.values(problems)[0] ?? /^$/) });
  });

  test("one that is used is not deleted; one that is not, is", async () => {
    await upload(jpeg());
    const [row] = await rows<{ key: string }>("pictures");
    const remove = { intent: "delete", key: row?.key ?? "" };
    const markdown = `![A]({{site}}${addressIn((await browser.request("/owner/pictures")).body)})`;
    await browser.post("/owner/letters", { subject: "A", body: markdown, intent: "save" });
    const refused = await browser.post("/owner/pictures", remove);
    expect(refused.headers.get("Location")).toBe("/owner/pictures?done=picture-used");
    expect((await browser.request("/owner/letters/1/preview")).body).not.toContain("Line 1");
    const { body, headers } = await browser.request("/owner/letters/1/email");
    expect(body).toContain(`src="${env.SITE_URL}/pictures/${row?.key}-800x600.jpg"`);
    expect(headers.get("Content-Security-Policy")).toContain(
      `img-src https: ${env.SITE_URL}/pictures/ ${env.SITE_URL}/email/;`,
    );
    await browser.post("/owner/letters/1", { intent: "delete" });
    const deleted = await browser.post("/owner/pictures", remove);
    expect(deleted.headers.get("Location")).toBe("/owner/pictures?done=picture-deleted");
    expect(await stored()).toBe(0);
  });

  test("a hundred are stored, and listed fifty by fifty", async () => {
    for (let n = 1; n <= 100; n += 1) {
      const { status } = await upload(jpeg({ data: 1_000 + n }), { alt: `Stall ${n}`, accept: "application/json" });
      expect(status).toBe(201);
    }
    expect(await rows("pictures")).toHaveLength(100);
    const pages = [await browser.request("/owner/pictures"), await browser.request("/owner/pictures?page=2")];
    const listed = pages.map(({ body }) => Array.from(body.matchAll(/alt="Stall (\d+)"/g), ([, n]) => Number(n)));
    expect(listed.map(({ length }) => length)).toEqual([50, 50]);
    expect(listed.flat().toSorted((a, b) => b - a)).toEqual(Array.from({ length: 100 }, (_, n) => 100 - n));
    expect(pages[0]?.body).toContain('href="/owner/pictures?page=2"');
  });
});

test("the script of the editor gets the Markdown, the address and the size", async () => {
  const { status, body } = await upload(png({ width: 300, height: 200 }), { accept: "application/json" });
  const url = expect.stringMatching(/^\/pictures\/[0-9a-f]{32}-300x200\.png$/);
  const markdown = expect.stringMatching(/^!\[A stall\]\(\{\{site\}\}\/pictures\/[0-9a-f]{32}-300x200\.png\)$/);
  expect([status, JSON.parse(body)]).toEqual([201, { markdown, url, width: 300, height: 200 }]);
});

test("pictures are taken only from the owner, on this site", async () => {
  expect((await upload(jpeg(), { from: ownerBrowser() })).status).toBe(403);
  expect((await upload(jpeg(), { origin: "https://evil.example" })).status).toBe(403);
  const { read } = await postMegabytes(ownerBrowser(), "/owner/pictures", 20);
  expect(read).toBeLessThan(4);
  expect(await stored()).toBe(0);
});

test("an upload that breaks off stores nothing", async () => {
  const whole = jpeg({ data: 300_000 });
  const head = new TextEncoder().encode(
    '--x\r\nContent-Disposition: form-data; name="intent"\r\n\r\nadd\r\n--x\r\nContent-Disposition: form-data; name="alt"\r\n\r\nA stall\r\n--x\r\nContent-Disposition: form-data; name="picture"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n',
  );
  const headers = { Origin: env.SITE_URL, "Content-Type": "multipart/form-data; boundary=x" };
  const send = (body: ReadableStream<Uint8Array>) =>
    browser.request("/owner/pictures", { method: "POST", body, headers });
  const half = [head, whole.subarray(0, 150_000)];
  const ended = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of half) controller.enqueue(piece);
      controller.close();
    },
  });
  expect((await send(ended)).status).toBeGreaterThanOrEqual(400);
  const broken = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of half) controller.enqueue(piece);
    },
    pull: (controller) => controller.error(new Error("disconnected")),
  });
  const response = await send(broken).catch(() => ({ status: 499 }));
  expect(response.status).toBeGreaterThanOrEqual(400);
  expect(await stored()).toBe(0);
});

test("a picture is served to anyone, also to pages of other sites, with no cookie and nothing counted", async () => {
  await upload(jpeg());
  const path = addressIn((await browser.request("/owner/pictures")).body);
  for (const method of ["GET", "HEAD"]) {
    const { status, headers, bytes } = await served(path, method);
    expect([status, bytes.length > 0]).toEqual([200, method === "GET"]);
    expect(Object.fromEntries(headers)).toMatchObject({
      "cache-control": "public, max-age=31536000, immutable",
      "content-security-policy": expect.stringMatching(/^default-src 'none';/),
      "content-type": "image/jpeg",
      "cross-origin-resource-policy": "cross-origin",
      "x-content-type-options": "nosniff",
    });
    expect(headers.has("Set-Cookie")).toBe(false);
  }
  expect(await rows("page_visits")).toEqual([]);
  for (const wrong of [path.replace(/[0-9a-f]{32}/, "0".repeat(32)), "/pictures/a.jpg", "/pictures/..%2fowner"]) {
    const { status, headers } = await served(wrong);
    expect([status, headers.get("Cache-Control")]).toEqual([404, "no-store"]);
  }
});
