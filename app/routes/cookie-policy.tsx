import { answerConsentPost } from "#app/consent/consent.server.ts";
import { appContext } from "#app/context.ts";
import { CookiePolicy } from "#app/legal/cookie-policy.tsx";
import { pageMeta } from "#app/seo/page-meta.ts";
import { sitePages } from "#app/seo/site-pages.ts";
import type { Route } from "./+types/cookie-policy";

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ ...sitePages.cookiePolicy, siteUrl: matches[0].loaderData.siteUrl });
}

export function loader({ context }: Route.LoaderArgs) {
  return { email: context.get(appContext).config.CONTACT_EMAIL };
}

/** The banner of every page posts here: the choice is taken where it is explained. */
export function action({ request, url }: Route.ActionArgs) {
  return answerConsentPost(request, url);
}

export default function CookiePolicyPage({ loaderData: { email } }: Route.ComponentProps) {
  return <CookiePolicy email={email} />;
}
