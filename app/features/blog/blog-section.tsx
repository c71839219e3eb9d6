import { type CardPost, PostCard, SampleCard } from "#app/features/blog/post-card.tsx";
import { samplePosts } from "#app/features/blog/sample-posts.ts";

interface BlogSectionProps {
  /** The newest posts. Empty: sample posts are shown instead. */
  posts: CardPost[];
}

export function BlogSection({ posts }: BlogSectionProps) {
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
