import { appContext } from "#app/context.ts";
import { PrivacyPolicy } from "#app/legal/privacy-policy.tsx";
import { PageMeta } from "#app/seo/page-meta.tsx";
import { sitePages } from "#app/seo/site-pages.ts";
import type { Route } from "./+types/privacy";

export function loader({ context }: Route.LoaderArgs) {
  const { CONTROLLER_NAME, CONTROLLER_ADDRESS, CONTACT_EMAIL } = context.get(appContext).config;
  return { controller: { name: CONTROLLER_NAME, address: CONTROLLER_ADDRESS, email: CONTACT_EMAIL } };
}

export default function Privacy({ loaderData: { controller } }: Route.ComponentProps) {
  return (
    <>
      <PageMeta page={sitePages.privacy} />
      <PrivacyPolicy controller={controller} />
    </>
  );
}
