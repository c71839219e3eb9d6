import { PICTURES_PATH, pictureName } from "#app/blog/picture-path.server.ts";
import type { Post } from "#app/blog/post.server.ts";
import type { CardPost } from "#app/blog/post-card.tsx";
import { britishDate } from "#app/british-date.ts";

/**
 * What a card shows of a post. The date is written by the server: a browser elsewhere would write another while
 * hydrating.
 */
export async function cardPost({
  title,
  excerpt,
  url,
  featureImage,
  publishedAt,
  authors,
  tags,
}: Post): Promise<CardPost> {
  return {
    title,
    excerpt,
    url,
    picture: featureImage === null ? null : `${PICTURES_PATH}/${await pictureName(featureImage)}`,
    date: publishedAt === null ? null : britishDate(Date.parse(publishedAt)),
    authors: authors.join(", "),
    tags,
  };
}
