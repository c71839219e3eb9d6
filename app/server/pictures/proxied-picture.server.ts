import { describeError, logSampled } from "#app/server/log.ts";
import { RemoteError } from "#app/server/pictures/remote-error.server.ts";
import { limitResponseBody, safeFetch } from "#app/server/pictures/safe-fetch.server.ts";
import { createSingleFlight } from "#app/server/single-flight.server.ts";
import { withTimeout } from "#app/server/time/timeout.ts";
import { type EpochMillis, MINUTE, type Millis } from "#app/server/time/units.ts";

export interface PictureDeps {
  siteUrl: string;
  /** The binding whose isolate remembers failures and running fetches. */
  cache: KVNamespace;
  /** The Cache API; without effect on workers.dev. */
  responses: Pick<Cache, "match" | "put" | "delete">;
  now: () => EpochMillis;
  waitUntil: (work: Promise<unknown>) => void;
}

export interface PictureSource {
  url: string;
  /** The only type that counts, where a server may send another one instead. */
  type?: "image/avif" | "image/webp";
  /** Bytes; {@link MAX_PICTURE} without it. The picture is read whole before it is passed on, so that others can be tried. */
  maxBytes?: number;
  /**
   * How Cloudflare makes it smaller, where the owner has enabled that for the zone; elsewhere it comes as it is.
   * https://developers.cloudflare.com/images/optimization/transformations/transform-via-workers/
   */
  image?: RequestInitCfPropertiesImage;
}

export interface PictureFailure {
  code: string;
  failedAt: EpochMillis;
  /** Of a picture that is too large, or its lightest copy, if its servers said how large. */
  bytes?: number;
}

export interface ProxiedPicture {
  /** Its one path on this origin. */
  path: string;
  /** What is served there depends on the browser's `Accept`: without AVIF, it gets and is sent none. */
  variant?: "avif" | "webp";
  /** Addresses to try, in order. */
  sources: PictureSource[];
  privateOrigin: string | null;
  failureEvent: string;
  fallback: () => Response;
  /** Must not reject. */
  onFailure?: (failure: PictureFailure) => Promise<void>;
}

/** Seconds. A changed picture has another URL, so a week is safe. */
const TTL = 7 * 24 * 60 * 60;

/** Seconds until a picture that failed is fetched again. */
export const FAILURE_TTL = 60;

/** Seconds. The canonical path never changes. */
const REDIRECT_TTL = 60 * 60;

/** More than fetching and storing a picture may take. */
const FILL_TIMEOUT: Millis = 15_000;

/** For so long an isolate does not try the Cache API again after it has not kept a picture. */
const CACHELESS_FOR = MINUTE;

/** From the request to the last byte: to the cache, and to a visitor who may have a slow connection. */
const CACHE_TIMEOUT: Millis = 8_000;
const VISITOR_TIMEOUT = MINUTE;

/** No SVG: it could contain scripts. */
const IMAGE_TYPES = ["image/avif", "image/webp", "image/png", "image/jpeg", "image/gif"];

/** Bytes. Ghost's smaller copies take a few thousand; this is for originals where there are none. */
const MAX_PICTURE = 10 * 1024 * 1024;

/** Codes after which the next address is tried: this one has no such picture. */
const MISSING = ["not-ok", "not-a-picture", "too-many-redirects"];
const LASTING = [...MISSING, "too-large"];

/**
 * Serves a picture of another site from this origin, so that visitors' browsers contact no third party. It is streamed
 * into the cache once for any number of requests, and from there to each visitor. After a failure it is fetched again
 * {@link FAILURE_TTL} later. Other spellings of its path redirect to the canonical one.
 *
 * @param url of the request, as it was sent
 */
export async function serveProxiedPicture(deps: PictureDeps, url: URL, picture: ProxiedPicture): Promise<Response> {
  const { path, fallback } = picture;
  if (url.pathname + url.search !== path) return redirect(path, 301, REDIRECT_TTL);
  const key = picture.variant === undefined ? deps.siteUrl + path : `${deps.siteUrl}${path}?${picture.variant}`;
  const cached = await fromCache(deps, key);
  if (cached !== null) return cached;
  const memory = memoryOf(deps.cache);
  if (deps.now() < (memory.failedUntil.get(key) ?? 0)) return fallback();
  if (deps.now() < memory.cachelessUntil) return serveUncached(deps, picture, key);
  const filled = memory.fill(key, deps, () => fillCache(deps, picture, key));
  if (!(await withTimeout(filled, FILL_TIMEOUT, "picture").catch(() => false))) return fallback();
  const stored = await fromCache(deps, key);
  if (stored !== null) return stored;
  memory.cachelessUntil = deps.now() + CACHELESS_FOR;
  return serveUncached(deps, picture, key);
}

/** Streams a picture into the cache. False after a failure; never rejects. */
async function fillCache(deps: PictureDeps, picture: ProxiedPicture, key: string): Promise<boolean> {
  try {
    const { sources, privateOrigin, variant } = picture;
    const { type, body, failure } = await fetchPicture(sources, privateOrigin, CACHE_TIMEOUT, variant);
    const headers = { "Content-Type": type, "Cache-Control": `public, max-age=${TTL}` };
    await deps.responses.put(key, new Response(body, { headers })).catch(async (error: unknown) => {
      // A cache may keep what it got of a body that breaks off.
      await deps.responses.delete(key).catch(() => false);
      throw failure() ?? error;
    });
    return true;
  } catch (error) {
    noteFailure(deps, picture, key, error);
    return false;
  }
}

/** Passes a picture on to the visitor: as a stream if its length is known, and else whole, as it may be too large. */
async function serveUncached(deps: PictureDeps, picture: ProxiedPicture, key: string): Promise<Response> {
  try {
    const { sources, privateOrigin, variant } = picture;
    const fetched = await fetchPicture(sources, privateOrigin, VISITOR_TIMEOUT, variant);
    if (fetched.isSized) return pictureResponse(fetched.body, fetched.type);
    const whole = await new Response(fetched.body).arrayBuffer().catch((error: unknown) => {
      throw fetched.failure() ?? error;
    });
    return pictureResponse(whole, fetched.type);
  } catch (error) {
    noteFailure(deps, picture, key, error);
    return picture.fallback();
  }
}

function noteFailure(deps: PictureDeps, picture: ProxiedPicture, key: string, error: unknown): void {
  const { code, details } =
    error instanceof RemoteError ? error : { code: "unknown", details: {} as RemoteError["details"] };
  logSampled("error", picture.failureEvent, { code, ...details, error: describeError(error) });
  memoryOf(deps.cache).failedUntil.set(key, deps.now() + FAILURE_TTL * 1_000);
  const bytes = Number(details["bytes"]);
  const failure = { code, failedAt: deps.now(), ...(Number.isNaN(bytes) ? {} : { bytes }) };
  if (picture.onFailure !== undefined) deps.waitUntil(picture.onFailure(failure));
}

/** Tries each address in turn. `timeout`: to the last byte. @throws {@link RemoteError} */
export async function fetchPicture(
  sources: PictureSource[],
  privateOrigin: string | null,
  timeout: Millis,
  variant?: ProxiedPicture["variant"],
) {
  const signal = AbortSignal.timeout(timeout);
  const shown = variant === "webp" ? IMAGE_TYPES.filter((type) => type !== "image/avif") : IMAGE_TYPES;
  const problems: RemoteError[] = [];
  for (const source of sources) {
    const types = source.type === undefined ? shown : [source.type];
    try {
      const response = await safeFetch(source.url, {
        headers: { Accept: types.join(", ") },
        signal,
        privateOrigin,
        ...(source.image && { image: source.image }),
      });
      return await open(response, signal, types, source.maxBytes);
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error;
      problems.push(error);
      if (!mayBeOtherwise(error, source)) break;
    }
  }
  throw verdict(problems);
}

/**
 * What the problems of a picture's addresses amount to. It is too large, as its lightest copy is, only if no address had a
 * problem that may pass. Of unknown size, if that of any copy is.
 */
function verdict(problems: RemoteError[]): RemoteError | undefined {
  const passing = problems.find(({ code, details }) => !LASTING.includes(code) || Number(details["status"]) >= 500);
  const bytesOf = ({ details }: RemoteError) => Number(details["bytes"] ?? 0);
  const tooLarge = problems.filter(({ code }) => code === "too-large").sort((a, b) => bytesOf(a) - bytesOf(b));
  return passing ?? tooLarge[0] ?? problems.at(-1);
}

/** Whether the next address may have the picture after this one had not: only one of a smaller copy can be too large by chance. */
function mayBeOtherwise({ code }: RemoteError, source: PictureSource): boolean {
  return MISSING.includes(code) || (code === "too-large" && source.type !== undefined);
}

/** The body fails beyond its limit or the timeout. */
async function open(response: Response, signal: AbortSignal, types: string[], wholeUpTo: number | undefined) {
  const maxBytes = wholeUpTo ?? MAX_PICTURE;
  const type = pictureType(response, types);
  const length = contentLength(response);
  if (length !== null && length > maxBytes) {
    response.body?.cancel().catch(() => {});
    throw new RemoteError("too-large", `more than ${maxBytes} bytes`, { bytes: length });
  }
  let failure: RemoteError | null = null;
  const body = limitResponseBody(response, maxBytes, signal, (error) => {
    failure = error;
  });
  if (wholeUpTo === undefined) return { type, isSized: length !== null, body, failure: () => failure };
  const whole = await new Response(body).arrayBuffer().catch((error: unknown) => {
    throw failure ?? error;
  });
  return { type, isSized: true, body: whole, failure: () => null };
}

/** @throws {@link RemoteError} when the response is no image of these types; cancels the body unread */
function pictureType({ ok, status, headers, body }: Response, types: string[]): string {
  const type = headers.get("Content-Type")?.split(";")[0]?.trim().toLowerCase() ?? "none";
  if (ok && types.includes(type)) return type;
  body?.cancel().catch(() => {});
  // Why Cloudflare could not make it smaller, such as `err=9422`.
  const resized = headers.get("Cf-Resized");
  const details = { status, type: type.slice(0, 100), ...(resized === null ? {} : { resized: resized.slice(0, 100) }) };
  throw new RemoteError(ok ? "not-a-picture" : "not-ok", "not a supported image", details);
}

/** Bytes; null when the server did not say, or compressed the body. */
function contentLength({ headers }: Response): number | null {
  const length = headers.get("Content-Length");
  return length !== null && /^\d+$/.test(length) && !headers.has("Content-Encoding") ? Number(length) : null;
}

async function fromCache({ responses }: PictureDeps, key: string): Promise<Response | null> {
  const cached = await responses.match(key).catch(() => undefined);
  const type = cached?.headers.get("Content-Type");
  return cached === undefined || !type ? null : pictureResponse(cached.body, type);
}

/** Headers for untrusted files: no content sniffing, and a sandbox when opened directly. */
function pictureResponse(body: BodyInit | null, type: string): Response {
  return new Response(body, {
    headers: {
      "Content-Type": type,
      "Cache-Control": `public, max-age=${TTL}, immutable`,
      "Content-Disposition": "inline",
      "Content-Security-Policy": "default-src 'none'; sandbox",
      "X-Content-Type-Options": "nosniff",
    },
  });
}

/** @param maxAge seconds */
export function redirect(path: string, status: 301 | 302, maxAge: number): Response {
  return new Response(null, { status, headers: { Location: path, "Cache-Control": `public, max-age=${maxAge}` } });
}

export function notFound(): Response {
  const headers = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" };
  return new Response("There is no such picture.\n", { status: 404, headers });
}

interface Memory {
  fill: ReturnType<typeof createSingleFlight<boolean>>;
  failedUntil: Map<string, EpochMillis>;
  cachelessUntil: EpochMillis;
}

/** Per isolate: a binding is the same object for the isolate's lifetime. */
const memories = new WeakMap<KVNamespace, Memory>();

function memoryOf(cache: KVNamespace): Memory {
  const fill = () => createSingleFlight<boolean>(FILL_TIMEOUT);
  const memory = memories.get(cache) ?? { fill: fill(), failedUntil: new Map(), cachelessUntil: 0 };
  memories.set(cache, memory);
  return memory;
}
