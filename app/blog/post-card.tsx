import { Link } from "react-router";
import type { Sample } from "#app/blog/samples.tsx";
import type { BritishDate } from "#app/british-date.ts";
import { PostStandIn } from "#app/pictures/post-scenes.tsx";

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
      {picture === null ? (
        <PostStandIn place={place} />
      ) : (
        // Decoration: the title beside it says where the link leads. Sized, so that nothing jumps when it comes.
        <img className="scene" src={picture} alt="" width="400" height="210" loading="lazy" decoding="async" />
      )}
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

export function SampleCard({ title, excerpt, url, FeatureImage }: Sample) {
  return (
    <li className="card post">
      <FeatureImage />
      <div className="post-words">
        <h3>
          <Link to={url} viewTransition>
            {title}
          </Link>
        </h3>
        <p>{excerpt}</p>
      </div>
    </li>
  );
}
