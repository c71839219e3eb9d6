import type { Sample } from "#app/pages/blog/samples.ts";
import type { BritishDate } from "#app/ui/british-date.ts";
import { PostPlaceholder } from "#app/ui/illustrations/post-placeholder.tsx";
import { PageLink } from "#app/ui/page-link.tsx";

/** A post as its card shows it. */
export interface CardPost {
  title: string;
  excerpt: string;
  url: string;
  /** A path on our own origin. */
  picture: string | null;
  date: BritishDate | null;
  authors: string;
  tags: string[];
}

/** @param place among its neighbours, so that their stand-ins differ */
export function PostCard({ post, place }: { post: CardPost; place: number }) {
  const { title, excerpt, url, picture, date, authors, tags } = post;
  return (
    <li className="card post">
      {picture === null ? <PostPlaceholder place={place} /> : <FeatureImage url={picture} />}
      <div className="post-words">
        <h3>
          <a href={url}>
            <span>{title}</span>
          </a>
        </h3>
        {excerpt === "" ? null : <p>{excerpt}</p>}
        <p className="post-facts">
          {date === null ? null : <time dateTime={date.iso}>{date.text}</time>}
          {authors === "" ? null : <span>{authors}</span>}
          {tags.map((tag) => (
            <span key={tag} className="post-tag">
              {tag}
            </span>
          ))}
        </p>
      </div>
    </li>
  );
}

export function SampleCard({ title, excerpt, featureImage, eveningImage, url }: Sample) {
  return (
    <li className="card post">
      <picture>
        <source srcSet={eveningImage} media="(prefers-color-scheme: dark)" />
        <FeatureImage url={featureImage} />
      </picture>
      <div className="post-words">
        <h3>
          <PageLink to={url}>{title}</PageLink>
        </h3>
        <p>{excerpt}</p>
      </div>
    </li>
  );
}

/** Decoration: the title beside it says where the link leads. Sized, so that nothing jumps when it comes. */
function FeatureImage({ url }: { url: string }) {
  return <img className="scene" src={url} alt="" width="400" height="210" loading="lazy" decoding="async" />;
}
