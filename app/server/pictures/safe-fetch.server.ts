import { mayFetch } from "#app/server/http/public-host.server.ts";
import { USER_AGENT } from "#app/server/http/user-agent.ts";
import { RemoteError } from "#app/server/pictures/remote-error.server.ts";

/** Enough for http to https and on to a CDN. */
const MAX_REDIRECTS = 3;

const REDIRECTS = [301, 302, 303, 307, 308];

/**
 * Follows redirects, and checks every hop against private networks (SSRF).
 *
 * @param init.privateOrigin the one origin that may be private, or null
 * @throws {@link RemoteError}
 */
export async function safeFetch(
  address: string,
  init: {
    headers: Record<string, string>;
    signal: AbortSignal;
    privateOrigin: string | null;
    image?: RequestInitCfPropertiesImage;
  },
): Promise<Response> {
  const { headers, signal, privateOrigin, image } = init;
  let url = URL.parse(address);
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    if (url === null || !mayFetch(url, privateOrigin)) {
      throw new RemoteError("forbidden-address", "not a public address", { host: url?.host ?? "none" });
    }
    const response = await fetch(url, {
      headers: { "User-Agent": USER_AGENT, ...headers },
      signal,
      redirect: "manual",
      ...(image && { cf: { image } }),
    }).catch((error: unknown) => {
      throw toRemoteError(error, signal);
    });
    const location = REDIRECTS.includes(response.status) ? response.headers.get("Location") : null;
    if (location === null) return response;
    await response.body?.cancel();
    url = URL.parse(location, url);
  }
  throw new RemoteError("too-many-redirects", `more than ${MAX_REDIRECTS} redirects`);
}

/** Fails with a {@link RemoteError} beyond the limit. `onFailure` also gets it: readers of the stream may replace it. */
export function limitResponseBody(
  response: Response,
  maxBytes: number,
  signal: AbortSignal,
  onFailure: (error: RemoteError) => void = () => {},
): ReadableStream<Uint8Array> {
  const reader = response.body?.getReader();
  let size = 0;
  return new ReadableStream({
    async pull(controller) {
      const fail = (error: RemoteError) => {
        onFailure(error);
        controller.error(error);
      };
      const read = await reader?.read().catch((error: unknown) => toRemoteError(error, signal));
      if (read instanceof RemoteError) return fail(read);
      if (read === undefined || read.done) return controller.close();
      size += read.value.byteLength;
      if (size <= maxBytes) return controller.enqueue(read.value);
      // Not awaited: a sender that never stops must not block us.
      reader?.cancel().catch(() => {});
      fail(new RemoteError("too-large", `more than ${maxBytes} bytes`));
    },
    cancel: (reason) => reader?.cancel(reason),
  });
}

function toRemoteError(error: unknown, signal: AbortSignal): RemoteError {
  if (signal.aborted) return new RemoteError("timeout", "no complete response in time");
  return new RemoteError("unreachable", "the connection failed", {}, error);
}
