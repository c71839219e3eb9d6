import { RemoteError } from "#app/server/pictures/remote-error.server.ts";
import { limitResponseBody, safeFetch } from "#app/server/pictures/safe-fetch.server.ts";
import type { Millis } from "#app/server/time/units.ts";

/** No SVG: it could contain scripts. */
const IMAGE_TYPES = ["image/avif", "image/webp", "image/png", "image/jpeg", "image/gif"];

/** Bytes. Ghost's smaller copies take a few thousand; this is for originals where there are none. */
const MAX_PICTURE = 10 * 1024 * 1024;

/** Codes after which the next address is tried: this one has no such picture. */
const MISSING = ["not-ok", "not-a-picture", "too-many-redirects"];

interface FetchedPicture {
  type: string;
  hasLength: boolean;
  /** Fails beyond {@link MAX_PICTURE} or the timeout. */
  body: ReadableStream<Uint8Array>;
  failure: () => RemoteError | null;
}

/** Tries each address in turn. `timeout`: to the last byte. @throws {@link RemoteError} */
export async function fetchPicture(
  sources: string[],
  privateOrigin: string | null,
  timeout: Millis,
): Promise<FetchedPicture> {
  const signal = AbortSignal.timeout(timeout);
  let problem: unknown;
  for (const source of sources) {
    try {
      const response = await safeFetch(source, {
        headers: { Accept: IMAGE_TYPES.join(", ") },
        signal,
        privateOrigin,
      });
      return open(response, signal);
    } catch (error) {
      problem = error;
      if (!(error instanceof RemoteError && MISSING.includes(error.code))) break;
    }
  }
  throw problem;
}

function open(response: Response, signal: AbortSignal): FetchedPicture {
  const type = pictureType(response);
  const length = contentLength(response);
  if (length !== null && length > MAX_PICTURE) {
    response.body?.cancel().catch(() => {});
    throw new RemoteError("too-large", `more than ${MAX_PICTURE} bytes`);
  }
  let failure: RemoteError | null = null;
  const body = limitResponseBody(response, MAX_PICTURE, signal, (error) => {
    failure = error;
  });
  return { type, hasLength: length !== null, body, failure: () => failure };
}

/** @throws {@link RemoteError} when the response is not an image; cancels the body unread */
function pictureType(response: Response): string {
  const type = response.headers.get("Content-Type")?.split(";")[0]?.trim().toLowerCase() ?? "none";
  const problem = response.ok ? (IMAGE_TYPES.includes(type) ? null : "not-a-picture") : "not-ok";
  if (problem === null) return type;
  response.body?.cancel().catch(() => {});
  throw new RemoteError(problem, "not a supported image", { status: response.status, type: type.slice(0, 100) });
}

/** Bytes; null when the server did not say, or compressed the body. */
function contentLength({ headers }: Response): number | null {
  const length = headers.get("Content-Length");
  return length !== null && /^\d+$/.test(length) && !headers.has("Content-Encoding") ? Number(length) : null;
}
