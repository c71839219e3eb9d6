import { type SamplePost, samplePosts } from "#app/features/blog/sample-posts.ts";
import type { BritishDate } from "#app/server/time/british-date.ts";
import { PostPlaceholder } from "#app/ui/illustrations/post-placeholder.tsx";
import { PageLink } from "#app/ui/page-link.tsx";

/** Where a card's picture is on this origin, as attributes of its `img`. */
export interface CardPicture {
  src: string;
  srcSet?: string;
  sizes?: string;
  alt?: string;
}

export interface CardPost {
  title: string;
  excerpt: string;
  url: string;
  picture: CardPicture | null;
  date: BritishDate | null;
  authors: string;
  tags: string[];
}

/** @param props.posts - the newest; without any, sample posts are shown instead */
export function BlogSection({ posts }: { posts: CardPost[] }) {
  return (
    <section className="page blog" aria-labelledby="blog">
      <h2 id="blog">{posts.length === 0 ? "While you wait" : "From the blog"}</h2>
      <ul className="bare-list posts">
        {posts.length === 0
          ? samplePosts.map((sample) => <SampleCard key={sample.id} {...sample} />)
          : posts.map((post, index) => <PostCard key={post.url} post={post} index={index} />)}
      </ul>
    </section>
  );
}

/** @param index position in the list; picks the placeholder, so that neighbours differ */
function PostCard({ post, index }: { post: CardPost; index: number }) {
  const { title, excerpt, url, picture, date, authors, tags } = post;
  return (
    <li className="card post">
      {picture === null ? <PostPlaceholder index={index} /> : <FeatureImage {...picture} />}
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

function SampleCard({ title, excerpt, featureImage, darkImage, url, target }: SamplePost) {
  return (
    <li className="card post">
      <picture>
        <source srcSet={darkImage} media="(prefers-color-scheme: dark)" />
        <FeatureImage src={featureImage} />
      </picture>
      <div className="post-words">
        <h3>
          <PageLink to={url}>{title}</PageLink>
        </h3>
        <p>{excerpt}</p>
        <p className="post-facts post-target">{target}</p>
      </div>
    </li>
  );
}

/** Decorative, hence the empty `alt`, unless its source describes it. Width and height prevent layout shift. */
function FeatureImage(source: CardPicture) {
  return <img className="scene" alt="" width="400" height="210" loading="lazy" decoding="async" {...source} />;
}
