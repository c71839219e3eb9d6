import { cardPicture } from "#app/features/blog/picture-path.server.ts";
import type { Post } from "#app/features/blog/post.server.ts";
import type { CardPost } from "#app/features/blog/post-card.tsx";
import { britishDate } from "#app/server/time/british-date.ts";

/** The server formats the date: a browser could differ, which would break hydration. */
export async function toCardPost({
  title,
  excerpt,
  url,
  featureImage,
  featureImageAlt,
  publishedAt,
  authors,
  tags,
}: Post): Promise<CardPost> {
  return {
    title,
    excerpt,
    url,
    picture: featureImage === null ? null : await cardPicture(featureImage, featureImageAlt),
    date: publishedAt === null ? null : britishDate(Date.parse(publishedAt)),
    authors: authors.join(", "),
    tags,
  };
}
