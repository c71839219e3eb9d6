import { data } from "react-router";
import { BlogSection } from "#app/features/blog/blog-section.tsx";
import { toCardPost } from "#app/features/blog/card-post.server.ts";
import { blogDeps, postsForPage } from "#app/features/blog/posts.server.ts";
import { Features } from "#app/features/landing/features.tsx";
import { Hero } from "#app/features/landing/hero.tsx";
import { LargeLogo } from "#app/features/landing/large-logo.tsx";
import { landingPage } from "#app/features/landing/page.ts";
import { nextFairDates } from "#app/features/landing/product/fair-date.server.ts";
import { Product } from "#app/features/landing/product/product.tsx";
import { WaysToHelp } from "#app/features/landing/ways-to-help.tsx";
import { ConsoleError } from "#app/layout/console-error.tsx";
import { handlePageForm } from "#app/layout/form-action.server.ts";
import { pageUrl } from "#app/layout/links.ts";
import { findNewestPage } from "#app/layout/newest-page.server.ts";
import { PageMeta } from "#app/layout/seo/page-meta.tsx";
import { DeferredStyles } from "#app/layout/styles/styles.tsx";
import { siteSettings } from "#app/server/config/settings.server.ts";
import { appContext } from "#app/server/context.ts";
import { readForPage } from "#app/server/http/read-for-page.server.ts";
import { readForm } from "#app/server/http/read-form.server.ts";
import * as switches from "#app/switches.ts";
import { useRootData } from "#app/ui/root-data.ts";
import { isPersonalLink } from "#app/waitlist/entries/entry-code.server.ts";
import { readPioneers } from "#app/waitlist/entries/pioneers.server.ts";
import { wordingFor } from "#app/waitlist/sign-up/consent-wording.ts";
import { canFollowUp } from "#app/waitlist/sign-up/shown-wording.server.ts";
import type { Route } from "./+types/home";

export const handle = { page: landingPage };

/** Seconds for which a page is cached that lacks what may arrive at any moment. */
const INCOMPLETE_TTL = 2;

export async function loader({ context, url }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const supportUrl = app.config.SUPPORT_URL;
  const isSurveyOpen = app.config.SURVEY_URL !== undefined;
  const fairDates = nextFairDates(Date.now());
  const { founder, launchSentence: sentence } = siteSettings();
  const launchSentence = app.launchUrl === undefined ? sentence : null;
  const hasNumbers = switches.pioneerCount || canFollowUp;
  const [shown, letter, posts] = await Promise.all([
    hasNumbers ? readForPage(app, "pioneers", () => readPioneers(app.db)) : null,
    switches.product ? readForPage(app, "letter", () => findNewestPage(app)) : null,
    switches.blog ? postsForPage(blogDeps(app)) : [],
  ]);
  const isComplete = posts !== null && (shown !== null || !hasNumbers);
  const isInvited = app.launchUrl === undefined && isPersonalLink(url.searchParams);
  return data(
    {
      supportUrl,
      isSurveyOpen,
      fairDates,
      pioneers: switches.pioneerCount ? (shown?.pioneers ?? null) : null,
      hasFollowUps: shown?.hasFollowUps ?? false,
      letter,
      posts: posts && (await Promise.all(posts.map(toCardPost))),
      ...(founder && switches.product ? { founder } : {}),
      ...(launchSentence === null ? {} : { launchSentence }),
      // Left out of the usual page, so that it adds nothing to that.
      ...(isInvited ? { isInvited } : {}),
    },
    {
      headers: {
        ...(isComplete ? {} : { "Cache-Control": `max-age=${INCOMPLETE_TTL}` }),
        ...(isInvited ? { Link: `<${pageUrl(app.config.SITE_URL, landingPage)}>; rel="canonical"` } : {}),
      },
    },
  );
}

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders;
}

export async function action({ context, request, url }: Route.ActionArgs) {
  const app = context.get(appContext);
  return handlePageForm(app, await readForm(request), url);
}

export default function Home({ loaderData }: Route.ComponentProps) {
  const { posts, supportUrl, isSurveyOpen, hasFollowUps, launchSentence, isInvited = false, ...product } = loaderData;
  const wording = wordingFor(hasFollowUps);
  const { launch } = useRootData() ?? {};
  const isLaunched = launch !== undefined;
  const { description } = launch ?? landingPage;
  return (
    <main id="main">
      <PageMeta page={{ ...landingPage, description }} isInvited={isInvited} />
      {switches.largeLogo ? <LargeLogo /> : null}
      <Hero {...{ launch, launchSentence, wording, isInvited }} />
      <DeferredStyles />
      {switches.product ? <Product {...product} isLaunched={isLaunched} /> : null}
      {switches.features ? <Features {...{ isLaunched, launchSentence }} /> : null}
      {switches.waysToHelp ? <WaysToHelp {...{ description, isLaunched, isSurveyOpen, supportUrl, wording }} /> : null}
      {switches.blog ? <Blog posts={posts} isLaunched={isLaunched} /> : null}
    </main>
  );
}

type BlogProps = Pick<Route.ComponentProps["loaderData"], "posts"> & { isLaunched: boolean };

function Blog({ posts, isLaunched }: BlogProps) {
  if (posts === null) return <ConsoleError message="Error fetching blog posts" />;
  // The sample posts are about the time before the launch.
  return isLaunched && posts.length === 0 ? null : <BlogSection posts={posts} />;
}
