import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { serveLetterPicture } from "#app/features/letters/public/picture.server.ts";
import { createLetter } from "#app/features/letters/send/letters.server.ts";
import { parseLetter } from "#app/features/letters/send/parse-letter.server.ts";
import { letters } from "#app/server/db/schema/letters.server.ts";
import { pictureHash } from "#app/server/pictures/picture-hash.server.ts";
import { fetchPicture } from "#app/server/pictures/proxied-picture.server.ts";
import { db, freshStorageForEachTest } from "#tests/support/pool/start.ts";
import { words } from "#tests/support/words.ts";

const log = freshStorageForEachTest();

const SITE = "https://site.example";
const PICTURE = "https://pictures.example/fair.png";
const png = { "Content-Type": "image/png" };

/** What servers respond, by URL; anything else is 404. Each request is noted. */
const files = new Map<string, () => Response | Promise<Response>>();
const requested: string[] = [];
let tests = 0;

beforeEach(() => {
  files.clear();
  requested.length = 0;
  tests += 1;
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    requested.push(String(input));
    return (await files.get(String(input))?.()) ?? new Response("not found", { status: 404 });
  });
});

function redirectTo(Location: string, status = 302) {
  return () => new Response("x", { status, headers: { Location } });
}

/** Requests the picture of a public letter. */
async function get(source = PICTURE) {
  const id = await createLetter(db, { subject: "News", body: `![A fair](${source})`, is_public: true }, 1);
  await db.update(letters).set({ state: "finished", started_at: 1 }).where(eq(letters.id, id));
  const name = await pictureHash(source);
  const execution = createExecutionContext();
  const responses = await caches.open(`letter-pictures-${tests}`);
  const waitUntil = (work: Promise<unknown>) => execution.waitUntil(work);
  const deps = { db, siteUrl: `${SITE}:${tests}`, cache: env.CACHE, responses, now: () => Date.now(), waitUntil };
  const response = await serveLetterPicture(deps, new URL(`${SITE}/letters/${id}/pictures/${name}`), {
    id: `${id}`,
    name,
  });
  const body = await response.arrayBuffer();
  await waitOnExecutionContext(execution);
  return { status: response.status, headers: response.headers, size: body.byteLength };
}

const codes = () => log.map((line) => JSON.parse(line).code);

describe("a picture's server that redirects", () => {
  test.each([
    ...words("http://127.1:8787/owner http://[::ffff:169.254.169.254]/latest/meta-data/ http://localhost/"),
    ...words("http://metadata.google.internal/ http://%e2%93%9bocalhost/ //192.168.0.1/a.png file:///etc/passwd"),
    ...words("https://ada:secret@pictures.example/ data:image/png;base64,AAAA https://"),
  ])("to %s is not followed", async (location) => {
    files.set(PICTURE, redirectTo(location));
    expect((await get()).status).toBe(502);
    expect(requested).toEqual([PICTURE]);
    expect(codes()).toEqual(["forbidden-address"]);
  });

  test("to a private address is not followed at a later hop either", async () => {
    files.set(PICTURE, redirectTo("https://cdn.example/a", 301));
    files.set("https://cdn.example/a", redirectTo("/b", 307));
    files.set("https://cdn.example/b", redirectTo("http://192.168.0.1/c", 308));
    expect((await get()).status).toBe(502);
    expect(requested).toEqual([PICTURE, "https://cdn.example/a", "https://cdn.example/b"]);
  });

  test("in a circle is asked four times", async () => {
    files.set(PICTURE, redirectTo(PICTURE));
    expect((await get()).status).toBe(502);
    expect(requested).toEqual(Array(4).fill(PICTURE));
    expect(codes()).toEqual(["too-many-redirects"]);
  });
});

describe("what is no picture is not passed on", () => {
  const plain = words("image/svg+xml text/html image/* image/x-icon application/octet-stream");
  const long = ["IMAGE/SVG+XML; charset=utf-8", "image/png, text/html", "multipart/mixed; boundary=image/png"];
  test.each([...plain, ...long, ""])("%j", async (type) => {
    files.set(PICTURE, () => new Response("<svg/>", { headers: type === "" ? {} : { "Content-Type": type } }));
    expect((await get()).status).toBe(502);
  });

  test("and what only says that it is one is served as one, for a browser that neither guesses nor runs it", async () => {
    const others = { "Set-Cookie": "owner=x", Refresh: "0;url=https://evil.example", Link: "<x>; rel=preload" };
    files.set(PICTURE, () => new Response("<script>alert(1)</script>", { headers: { ...png, ...others } }));
    const response = await get();
    expect(Object.fromEntries(response.headers)).toEqual({
      "cache-control": "public, max-age=604800, immutable",
      "content-disposition": "inline",
      "content-security-policy": "default-src 'none'; sandbox",
      "content-type": "image/png",
      "x-content-type-options": "nosniff",
    });
  });
});

describe("a body", () => {
  const lengths = ["", "1", "-1", "1e9", "0x10", "99999999999999999999"];
  test.each(lengths)("without an end is cut off at 10 MB, with any length that it claims: %j", async (length) => {
    const pull = (controller: ReadableStreamDefaultController) => controller.enqueue(new Uint8Array(1_000_000));
    const headers = { ...png, ...(length === "" ? {} : { "Content-Length": length }) };
    files.set(PICTURE, () => new Response(new ReadableStream({ pull }), { headers }));
    expect((await get()).status).toBe(502);
    expect(codes()).toEqual(["too-large"]);
  });

  test("that comes drop by drop ends with the time limit", async () => {
    vi.mocked(fetch).mockImplementation(async (_, init) => {
      const start = (controller: ReadableStreamDefaultController) => {
        const timer = setInterval(() => controller.enqueue(new Uint8Array(1)), 5);
        // As the runtime does, which aborts the body as well.
        init?.signal?.addEventListener("abort", () => {
          clearInterval(timer);
          controller.error(init.signal?.reason);
        });
      };
      return new Response(new ReadableStream({ start }), { headers: png });
    });
    const { body } = await fetchPicture([{ url: PICTURE }], null, 60);
    await expect(new Response(body).arrayBuffer()).rejects.toMatchObject({ code: "timeout" });
  });
});

test.each([
  ...words("http://pictures.example/a.png data:image/png;base64,AAAA https://localhost/a.png {{site}}/og.png"),
  ...words("https://１２７.０.０.１/a.png https://ada:secret@pictures.example/a.png //pictures.example/a.png"),
  "https:\\\\pictures.example\\a.png",
])("a letter cannot have the picture %s", async (source) => {
  expect(parseLetter(`![A fair](<${source}>)`).problems).not.toEqual([]);
  expect((await get(`<${source}>`)).status).toBe(404);
  expect(requested).toEqual([]);
});
