import { type Post, parsePosts } from "#app/features/blog/post.server.ts";
import { sha256 } from "#app/server/hashes/random-token.server.ts";
import { RemoteError } from "#app/server/pictures/remote-error.server.ts";
import { limitResponseBody, safeFetch } from "#app/server/pictures/safe-fetch.server.ts";
import type { Millis } from "#app/server/time/units.ts";

export interface PostSource {
  url: string;
  /** Identifies the source in the cache: another address or key starts afresh. */
  cacheId(): Promise<string>;
  /** @throws `RemoteError` */
  fetchPosts(): Promise<Post[]>;
}

/** The API version that responses are parsed as. https://ghost.org/docs/content-api/#accept-version-header */
const API_VERSION = "v5.0";

/** From the request to the last byte of the response. */
const GHOST_TIMEOUT: Millis = 2_000;

/** Bytes. Three posts without their text take a few thousand. */
const GHOST_MAX_RESPONSE = 256 * 1024;

const QUERY = {
  limit: "3",
  include: "tags,authors",
  fields: "title,excerpt,feature_image,url,published_at",
};

/**
 * @param url without a trailing slash
 * @param contentKey of an integration; grants read access to published content only
 */
export function ghostSource(url: string, contentKey: string): PostSource {
  return {
    url,
    cacheId: async () => `${url} ${(await sha256(contentKey)).slice(0, 16)}`,
    fetchPosts: () => fetchPosts(url, contentKey),
  };
}

async function fetchPosts(ghostUrl: string, contentKey: string): Promise<Post[]> {
  const signal = AbortSignal.timeout(GHOST_TIMEOUT);
  const address = `${ghostUrl}/ghost/api/content/posts/?${new URLSearchParams({ key: contentKey, ...QUERY })}`;
  const response = await safeFetch(address, {
    headers: { Accept: "application/json", "Accept-Version": API_VERSION },
    signal,
    privateOrigin: new URL(ghostUrl).origin,
  });
  if (!response.ok) {
    const details = { status: response.status, ghostCode: await ghostCode(response, signal) };
    throw new RemoteError("not-ok", "Failed to fetch posts", details);
  }
  const posts = parsePosts(await readJson(response, signal));
  if (posts === null) throw new RemoteError("malformed", "the response has no list of posts");
  // Samples stand for a blog without posts, and this one has some.
  if (posts === "unusable") throw new RemoteError("unusable-posts", "no post has a title and a web address");
  return posts.slice(0, Number(QUERY.limit));
}

/** @throws {@link RemoteError} when the response is too large, cut off or not JSON */
async function readJson(response: Response, signal: AbortSignal): Promise<unknown> {
  // Cancels the body beyond the limit, regardless of `Content-Length`.
  const bytes = await new Response(limitResponseBody(response, GHOST_MAX_RESPONSE, signal)).arrayBuffer();
  const text = new TextDecoder().decode(bytes);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new RemoteError("malformed", "the response is not JSON", {}, error);
  }
}

/** Ghost's error code, such as `UNKNOWN_CONTENT_API_KEY`. */
async function ghostCode(response: Response, signal: AbortSignal): Promise<string> {
  const body: unknown = await readJson(response, signal).catch(() => null);
  const code = (body as { errors?: { code?: unknown }[] } | null)?.errors?.[0]?.code;
  return typeof code === "string" && /^\w{1,64}$/.test(code) ? code : "none";
}
