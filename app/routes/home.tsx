import { blogDeps } from "#app/blog/blog-deps.server.ts";
import { BlogSection } from "#app/blog/blog-section.tsx";
import { cardPost } from "#app/blog/card.server.ts";
import { postsForPage } from "#app/blog/posts.server.ts";
import { appContext } from "#app/context.ts";
import { Features } from "#app/landing/features.tsx";
import { Hero } from "#app/landing/hero.tsx";
import { LargeLogo } from "#app/landing/large-logo.tsx";
import { Product } from "#app/landing/product.tsx";
import { WaysToHelp } from "#app/landing/ways-to-help.tsx";
import { PageMeta } from "#app/seo/page-meta.tsx";
import { sitePages } from "#app/seo/site-pages.ts";
import { RestStyles } from "#app/styles/styles.tsx";
import { answerFormPost } from "#app/waitlist/form-post.server.ts";
import type { Route } from "./+types/home";

export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const posts = await postsForPage(blogDeps(app));
  return { supportUrl: app.config.SUPPORT_URL, posts: posts && (await Promise.all(posts.map(cardPost))) };
}

export function action({ context, request, url }: Route.ActionArgs) {
  return answerFormPost(context.get(appContext), request, url);
}

export default function Home({ loaderData }: Route.ComponentProps) {
  return (
    <main id="main">
      <PageMeta page={sitePages.home} />
      <LargeLogo />
      <Hero />
      <RestStyles />
      <Product />
      <Features />
      <WaysToHelp supportUrl={loaderData.supportUrl} />
      <BlogSection posts={loaderData.posts} />
    </main>
  );
}
