import { answerConsentPost } from "#app/consent/consent.server.ts";
import { appContext } from "#app/context.ts";
import { CookiePolicy } from "#app/legal/cookie-policy.tsx";
import { PageMeta } from "#app/seo/page-meta.tsx";
import { sitePages } from "#app/seo/site-pages.ts";
import type { Route } from "./+types/cookie-policy";

export function loader({ context }: Route.LoaderArgs) {
  return { email: context.get(appContext).config.CONTACT_EMAIL };
}

/** The banner of every page posts here: the choice is taken where it is explained. */
export function action({ request, url }: Route.ActionArgs) {
  return answerConsentPost(request, url);
}

export default function CookiePolicyPage({ loaderData: { email } }: Route.ComponentProps) {
  return (
    <>
      <PageMeta page={sitePages.cookiePolicy} />
      <CookiePolicy email={email} />
    </>
  );
}
