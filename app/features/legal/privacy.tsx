import { privacyPage } from "#app/features/legal/privacy-page.ts";
import { PrivacyPolicy } from "#app/features/legal/privacy-policy.tsx";
import { PageMeta } from "#app/layout/seo/page-meta.tsx";
import { appContext } from "#app/server/context.ts";
import { questions } from "#app/site.ts";
import { readHasFollowUps } from "#app/waitlist/sign-up/shown-wording.server.ts";
import type { Route } from "./+types/privacy";

export const handle = { page: privacyPage };

export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { config, mailer } = app;
  const { CONTROLLER_NAME, CONTROLLER_ADDRESS, CONTACT_EMAIL } = config;
  return {
    controller: { name: CONTROLLER_NAME, address: CONTROLLER_ADDRESS, email: CONTACT_EMAIL },
    questions: questions.map(({ wording }) => wording),
    hasFollowUps: await readHasFollowUps(app),
    emailService: mailer?.provider ?? "Cloudflare",
  };
}

export default function Privacy({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <PageMeta page={privacyPage} />
      <PrivacyPolicy {...loaderData} />
    </>
  );
}
