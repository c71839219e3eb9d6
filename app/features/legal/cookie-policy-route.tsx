import { saveConsentPost } from "#app/consent/consent.server.ts";
import { CookiePolicy } from "#app/features/legal/cookie-policy.tsx";
import { cookiePolicyPage } from "#app/features/legal/cookie-policy-page.ts";
import { PageMeta } from "#app/layout/seo/page-meta.tsx";
import { appContext } from "#app/server/context.ts";
import type { Route } from "./+types/cookie-policy-route";

export const handle = { page: cookiePolicyPage };

export function loader({ context }: Route.LoaderArgs) {
  return { email: context.get(appContext).config.CONTACT_EMAIL };
}

/** The consent banner on every page posts here. */
export function action({ request, url }: Route.ActionArgs) {
  return saveConsentPost(request, url);
}

export default function CookiePolicyPage({ loaderData: { email } }: Route.ComponentProps) {
  return (
    <>
      <PageMeta page={cookiePolicyPage} />
      <CookiePolicy email={email} />
    </>
  );
}
