import * as v from "valibot";
import { shorten } from "#app/server/shorten.ts";

/** A blog post as cached. Identified by `url`, because Ghost sends ids only on request. */
export type Post = v.InferOutput<typeof postSchema>;

/** Characters. Ghost allows 255; the limit guards against other servers. */
const MAX_TITLE = 500;

/** Characters. Ghost allows as many for the address of a picture. */
const MAX_URL = 2_000;

/** Characters. Ghost allows 191. */
const MAX_ALT = 200;

/** Characters that fit on a card. Without a custom excerpt, Ghost sends a post's first 500. */
const MAX_EXCERPT = 180;

/** Tags, and likewise authors, per card. */
const MAX_NAMES = 3;

/** Validates cached posts, which an older version of this site may have written. */
export const postSchema = v.object({
  title: v.string(),
  excerpt: v.string(),
  featureImage: v.nullable(v.string()),
  /** Empty if the picture is not described. Absent in what older versions wrote. */
  featureImageAlt: v.optional(v.string(), ""),
  url: v.string(),
  /** ISO 8601. */
  publishedAt: v.nullable(v.string()),
  tags: v.array(v.string()),
  authors: v.array(v.string()),
});

/**
 * Parses the body of Ghost's response. Drops posts without a title or web address; other fields that are missing or
 * invalid become empty.
 *
 * @returns null when the body has no list of posts; `unusable` when none of those in it can be shown
 */
export function parsePosts(body: unknown): Post[] | "unusable" | null {
  const list = v.safeParse(v.object({ posts: v.array(v.unknown()) }), body);
  if (!list.success) return null;
  const received = list.output.posts;
  const usable = received.flatMap((item) => {
    const post = v.safeParse(ghostPost, item);
    return post.success ? [post.output] : [];
  });
  return usable.length === 0 && received.length > 0 ? "unusable" : usable;
}

const httpUrl = v.pipe(
  v.string(),
  v.trim(),
  v.check((value) => value.length <= MAX_URL && /^https?:$/.test(URL.parse(value)?.protocol ?? "")),
  v.transform((value) => new URL(value).href),
);

const named = v.object({ name: v.pipe(v.string(), v.trim(), v.nonEmpty()), visibility: v.optional(v.string()) });

/** Names of tags or authors, without Ghost's internal tags, which are for themes. */
const names = v.pipe(
  v.fallback(v.array(v.fallback(v.nullable(named), null)), []),
  v.transform((items) => items.flatMap((item) => (item === null || item.visibility === "internal" ? [] : [item.name]))),
  v.transform((items) => items.slice(0, MAX_NAMES)),
);

const ghostPost = v.pipe(
  v.object({
    title: v.pipe(v.string(), v.trim(), v.nonEmpty()),
    excerpt: v.fallback(v.nullish(v.string()), null),
    feature_image: v.fallback(v.nullish(httpUrl), null),
    // Ghost sends only the fields that are asked for, and this one is not. Other servers of its API may.
    feature_image_alt: v.fallback(v.nullish(v.string()), null),
    url: httpUrl,
    published_at: v.fallback(v.nullish(v.pipe(v.string(), v.isoTimestamp())), null),
    tags: names,
    authors: names,
  }),
  v.transform(
    ({ title, excerpt, feature_image, feature_image_alt, url, published_at, tags, authors }): Post => ({
      title: shorten(title, MAX_TITLE),
      excerpt: shorten(excerpt ?? "", MAX_EXCERPT),
      featureImage: feature_image ?? null,
      featureImageAlt: shorten(feature_image_alt ?? "", MAX_ALT),
      url,
      publishedAt: published_at ?? null,
      tags,
      authors,
    }),
  ),
);
