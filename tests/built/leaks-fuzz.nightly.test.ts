import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { sha256 } from "#app/server/hashes/random-token.server.ts";
import { pictureHash } from "#app/server/pictures/picture-hash.server.ts";
import { answerTokenOf } from "#tests/support/pool/answer-token.ts";
import { builtWorker, confirmToken, createEntry, dataToken, unsubscribeToken } from "#tests/support/pool/built.ts";
import { entryPoints, fillIn } from "#tests/support/pool/entry-points.ts";
import {
  BATCH_SIZE,
  batchOf,
  type FuzzRequest,
  fuzzCases,
  fuzzSeed,
  requestArbitrary,
  toRequest,
} from "#tests/support/pool/fuzz.ts";
import { OWNER, ownerBrowser } from "#tests/support/pool/owner.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/start.ts";

const log = freshStorageForEachTest();
const seed = fuzzSeed();

const VISITS = fuzzCases(10_000, BATCH_SIZE);
const OWNER_VISITS = fuzzCases(2_000, BATCH_SIZE);

const ADA = "ada.of.the.private.kind@example.com";
const MALLORY = "mallory@attacker.example";
const CONTENT_KEY = "22444f78447824223cefc48062";
const PICTURE = "https://pictures.example/leaks.jpg";

const forms = requestArbitrary(
  (fields) => new URLSearchParams(Object.entries({ ...fields, id: "1", entry: "1" })).toString(),
  ["application/x-www-form-urlencoded"],
);
const json = requestArbitrary((fields) => JSON.stringify({ ...fields, id: 1, entry_id: 1 }), ["application/json"]);
const uploads = fc
  .tuple(fc.string({ unit: "binary", maxLength: 200 }), fc.constantFrom("people.csv", "../x", 'a"b', ""))
  .map(([text, name]): FuzzRequest => {
    const body = `--x\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\nemail,source\r\n${text}\r\n--x--\r\n`;
    return {
      method: "POST",
      headers: { "Content-Type": "multipart/form-data; boundary=x", Origin: env.SITE_URL },
      body: new TextEncoder().encode(body),
    };
  });
const reads = fc.constantFrom("GET", "HEAD").map(
  (method): FuzzRequest => ({
    method,
    headers: { Accept: "text/html", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document" },
    body: new Uint8Array(),
  }),
);
const anyRequest = fc.oneof(forms, json, uploads, reads);

const anyQuery = fc.oneof(
  { weight: 3, arbitrary: fc.constant("") },
  fc.constantFrom(
    `?utm_source=${MALLORY}`,
    "?index",
    "?_routes=",
    "?format=json&everyone=on",
    "?done=erased",
    "?cursor=1",
  ),
  fc.string({ unit: "binary", maxLength: 40 }).map((text) => `?q=${encodeURIComponent(text.toWellFormed())}`),
);

/** What belongs to Ada alone, and what to Mallory, who attacks. */
async function startSite() {
  const ids = [await createEntry("unconfirmed", ADA), await createEntry("unconfirmed", MALLORY)];
  const tokens = (id: number) =>
    Promise.all([dataToken(id), unsubscribeToken(id), confirmToken(id), answerTokenOf(id)]);
  const [ofAda = [], ofMallory = []] = await Promise.all(ids.map(tokens));
  const url = "https://blog.example/first";
  const post = { title: "First", url, excerpt: "", publishedAt: null, tags: [], authors: [] };
  const posts = [{ ...post, featureImage: PICTURE }];
  const source = `https://blog.example ${(await sha256(CONTENT_KEY)).slice(0, 16)}`;
  await env.CACHE.put("blog:posts", JSON.stringify({ source, fetchedAt: Date.now(), posts }));
  vi.spyOn(globalThis, "fetch").mockResolvedValue(new Response("gone", { status: 404 }));
  const vars = { OWNER_EMAIL: OWNER, GHOST_URL: "https://blog.example", GHOST_CONTENT_KEY: CONTENT_KEY };
  return {
    ofAda,
    ofMallory,
    vars,
    bindings: { ...env, ...vars },
    picture: await pictureHash(PICTURE),
  };
}

/** Paths of these entry points, with Mallory's own tokens, changed ones and others. */
function pathsOf(templates: string[], { ofMallory, picture }: Awaited<ReturnType<typeof startSite>>) {
  const token = fc.constantFrom(...ofMallory);
  const parameters = fc.record({
    token: fc.oneof(
      token,
      token.map((own) => own.replace(/^[^.]*/, "1")),
      fc.tuple(token, fc.nat(60)).map(([own, at]) => own.slice(0, at) || "x"),
      fc.string({ unit: "binary", minLength: 1, maxLength: 40 }).map((text) => encodeURIComponent(text.toWellFormed())),
    ),
    id: fc.constantFrom("1", "2", "0", "999999999999999", "-1", "1e3"),
    name: fc.oneof(fc.constant(picture), fc.string({ minLength: 1, maxLength: 40 }).map(encodeURIComponent)),
  });
  const path = fc
    .tuple(fc.constantFrom(...templates), parameters)
    .map(([template, values]) => fillIn(template, values));
  return fc.tuple(path, fc.constantFrom("", "", "", ".data", "/", "%"), anyQuery).map((parts) => parts.join(""));
}

test(`${VISITS} random requests to every entry point: no response holds another person's data, no log line an address`, {
  timeout: 300_000,
}, async () => {
  const site = await startSite();
  const execution = createExecutionContext();
  const [ada, mallory] = await rows("waitlist_emails");
  const secrets = [ADA, ...site.ofAda, OWNER, CONTENT_KEY, env.LINK_SECRET, env.HASH_KEY];
  const everywhere = [...entryPoints.pages, ...entryPoints.api, ...entryPoints.owner];
  // Read from the source.
  expect(everywhere).toEqual(expect.arrayContaining(["/your-data/:token", "/api/signup", "/owner/import"]));
  await fc.assert(
    fc.asyncProperty(batchOf(fc.tuple(pathsOf(everywhere, site), anyRequest)), async (batch) => {
      await Promise.all(batch.map(([path, request]) => send(path, request)));
    }),
    { seed, numRuns: VISITS / BATCH_SIZE, endOnFailure: true },
  );
  await waitOnExecutionContext(execution);
  const after = await rows<{ id: number }>("waitlist_emails");
  expect(after.find(({ id }) => id === 1)).toEqual(ada);
  // Mallory's own links work: the requests reached more than the guards.
  expect(after.find(({ id }) => id === 2)).not.toEqual(mallory);
  expectCleanLog([...secrets, ...site.ofMallory]);

  async function send(path: string, request: FuzzRequest) {
    const response = await builtWorker.fetch(toRequest(env.SITE_URL + path, request), site.bindings, execution);
    const text = await readText(response);
    expect(response.status, path).toBeLessThan(500);
    const whole = `${JSON.stringify([...response.headers])}\n${text}`;
    expect(
      secrets.filter((secret) => whole.includes(secret)),
      `${request.method} ${path}`,
    ).toEqual([]);
    expect(text).not.toMatch(/\n\s+at \S+ \(|D1_ERROR|SQLITE/);
  }
});

test(`${OWNER_VISITS} random requests of a signed-in owner: documented statuses, no log line holds an address or a token`, {
  timeout: 300_000,
}, async () => {
  const site = await startSite();
  const signedIn = ownerBrowser(site.vars);
  await signedIn.signIn();
  const cookie = Array.from(signedIn.cookies, ([name, value]) => `${name}=${value}`).join("; ");
  const execution = createExecutionContext();
  const paths = entryPoints.owner.filter((path) => !path.includes("sign-"));
  const statuses = new Set<number>();
  await fc.assert(
    fc.asyncProperty(batchOf(fc.tuple(pathsOf(paths, site), fc.oneof(forms, uploads, reads))), async (batch) => {
      for (const [path, request] of batch) await send(path, request);
    }),
    { seed, numRuns: OWNER_VISITS / BATCH_SIZE, endOnFailure: true },
  );
  await waitOnExecutionContext(execution);
  // The requests reached the pages, not only their guards.
  expect([...statuses]).toEqual(expect.arrayContaining([200, 303, 404]));
  const session = [...signedIn.cookies.values()].flatMap((value) => [value, decodeURIComponent(value)]);
  expectCleanLog([ADA, OWNER, env.LINK_SECRET, env.HASH_KEY, ...site.ofAda, ...session]);

  async function send(path: string, request: FuzzRequest) {
    const headers = { ...request.headers, Cookie: cookie };
    const whole = toRequest(env.SITE_URL + path, { ...request, headers });
    const response = await builtWorker.fetch(whole, site.bindings, execution);
    const text = await readText(response);
    statuses.add(response.status);
    expect(response.status, `${request.method} ${path}`).toBeLessThan(500);
    expect(text).not.toMatch(/\n\s+at \S+ \(|D1_ERROR|SQLITE/);
  }
});

/** The log holds no address at all, none of these secrets, and no failure. */
function expectCleanLog(secrets: string[]): void {
  expect(log.filter((line) => line.includes("@") || secrets.some((secret) => line.includes(secret)))).toEqual([]);
  expect(log.filter((line) => /"(page|owner-page|api)-failed"/.test(line))).toEqual([]);
}

async function readText(response: Response): Promise<string> {
  return new TextDecoder().decode(await response.arrayBuffer());
}
