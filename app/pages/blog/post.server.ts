import * as v from "valibot";

/** A blog post as this site keeps it. A real Ghost sends no id unless asked for one: `url` tells posts apart. */
export type Post = v.InferOutput<typeof postSchema>;

/** What Ghost lets an author type is 255 characters; this is where a stranger's server stops being believed. */
const MAX_TITLE = 500;

/** Characters that a card has room for. Without an excerpt of its own, a post's is its first 500. */
const MAX_EXCERPT = 180;

/** Tags, and authors, that a card names. */
const MAX_NAMES = 3;

/** Posts as they lie in the cache, which an older version of this site may have written. */
export const postSchema = v.object({
  title: v.string(),
  excerpt: v.string(),
  featureImage: v.nullable(v.string()),
  url: v.string(),
  /** ISO 8601. */
  publishedAt: v.nullable(v.string()),
  tags: v.array(v.string()),
  authors: v.array(v.string()),
});

/**
 * Reads the posts out of Ghost's answer. A post without a title or a web address is dropped, and whatever else is
 * missing or odd is left out of its post.
 *
 * @returns null when the answer holds no list of posts
 */
export function parsePosts(answer: unknown): Post[] | null {
  const list = v.safeParse(v.object({ posts: v.array(v.unknown()) }), answer);
  if (!list.success) return null;
  return list.output.posts.flatMap((given) => {
    const post = v.safeParse(ghostPost, given);
    return post.success ? [post.output] : [];
  });
}

const webAddress = v.pipe(
  v.string(),
  v.trim(),
  v.check((value) => /^https?:$/.test(URL.parse(value)?.protocol ?? "")),
  v.transform((value) => new URL(value).href),
);

const named = v.object({ name: v.pipe(v.string(), v.trim(), v.nonEmpty()), visibility: v.optional(v.string()) });

/** Names of tags or authors, without the internal tags that only a theme is meant to see. */
const names = v.pipe(
  v.fallback(v.array(v.fallback(v.nullable(named), null)), []),
  v.transform((all) => all.flatMap((one) => (one === null || one.visibility === "internal" ? [] : [one.name]))),
  v.transform((all) => all.slice(0, MAX_NAMES)),
);

const ghostPost = v.pipe(
  v.object({
    title: v.pipe(v.string(), v.trim(), v.nonEmpty()),
    excerpt: v.fallback(v.nullish(v.string()), null),
    feature_image: v.fallback(v.nullish(webAddress), null),
    url: webAddress,
    published_at: v.fallback(v.nullish(v.pipe(v.string(), v.isoTimestamp())), null),
    tags: names,
    authors: names,
  }),
  v.transform(
    ({ title, excerpt, feature_image, url, published_at, tags, authors }): Post => ({
      title: shorten(title, MAX_TITLE),
      excerpt: shorten(excerpt ?? "", MAX_EXCERPT),
      featureImage: feature_image ?? null,
      url,
      publishedAt: published_at ?? null,
      tags,
      authors,
    }),
  ),
);

/** At most so many characters, cut between words where there are any. */
function shorten(text: string, most: number): string {
  const clean = text.replace(/\s+/g, " ").trim();
  if (clean.length <= most) return clean;
  const cut = clean.slice(0, most - 1).toWellFormed();
  const lastSpace = cut.lastIndexOf(" ");
  return `${cut.slice(0, lastSpace > most / 2 ? lastSpace : undefined).replace(/[\s,.;:–-]+$/, "")}…`;
}
