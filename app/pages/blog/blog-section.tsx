import { type CardPost, PostCard, SampleCard } from "#app/pages/blog/post-card.tsx";
import { samples } from "#app/pages/blog/samples.ts";
import { StillFor } from "#app/ui/still.tsx";

interface BlogSectionProps {
  /** The newest posts; none leaves room for the samples, null for nothing. */
  posts: CardPost[] | null;
}

export function BlogSection({ posts }: BlogSectionProps) {
  if (posts === null) return null;
  return <StillFor as="section" className="page blog" aria-labelledby="blog" of={Cards} facts={{ posts }} />;
}

function Cards({ posts }: { posts: CardPost[] }) {
  return (
    <>
      <h2 id="blog">From the blog</h2>
      <ul className="posts">
        {posts.length === 0
          ? samples.map((sample) => <SampleCard key={sample.id} {...sample} />)
          : posts.map((post, place) => <PostCard key={post.url} post={post} place={place} />)}
      </ul>
    </>
  );
}
