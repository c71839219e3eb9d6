import { appContext } from "#app/context.ts";
import { Features } from "#app/landing/features.tsx";
import { Hero } from "#app/landing/hero.tsx";
import { LargeLogo } from "#app/landing/large-logo.tsx";
import { Product } from "#app/landing/product.tsx";
import { WaysToHelp } from "#app/landing/ways-to-help.tsx";
import { pageMeta } from "#app/seo/page-meta.ts";
import { sitePages } from "#app/seo/site-pages.ts";
import { answerFormPost } from "#app/waitlist/form-post.server.ts";
import type { Route } from "./+types/home";

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ ...sitePages.home, siteUrl: matches[0].loaderData.siteUrl });
}

export function loader({ context }: Route.LoaderArgs) {
  return { supportUrl: context.get(appContext).config.SUPPORT_URL };
}

export function action({ context, request, url }: Route.ActionArgs) {
  return answerFormPost(context.get(appContext), request, url);
}

export default function Home({ loaderData }: Route.ComponentProps) {
  return (
    <main id="main">
      <LargeLogo />
      <Hero />
      <Product />
      <Features />
      <WaysToHelp supportUrl={loaderData.supportUrl} />
    </main>
  );
}
