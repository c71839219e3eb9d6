import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { surveyPage } from "#app/features/survey/page.ts";
import { SurveyFrame } from "#app/features/survey/survey-frame.tsx";
import { SurveySoon } from "#app/features/survey/survey-soon.tsx";
import { PageMeta } from "#app/layout/seo/page-meta.tsx";
import { appContext } from "#app/server/context.ts";
import { BackHome } from "#app/ui/back-home.tsx";
import { useRootData } from "#app/ui/root-data.ts";

export const handle = { page: surveyPage };

export function loader({ context }: LoaderFunctionArgs) {
  const { SURVEY_URL, CONTACT_EMAIL } = context.get(appContext).config;
  return { surveyUrl: SURVEY_URL ?? null, contactEmail: CONTACT_EMAIL };
}

export default function Survey() {
  const { surveyUrl, contactEmail } = useLoaderData<typeof loader>();
  const launch = useRootData()?.launch;
  return (
    <main id="main" className="prose page">
      <PageMeta page={surveyPage} />
      <BackHome />
      <h1>Survey: tell us what you need</h1>
      <p className="lead">
        Whether you host events or trade at them, you know what a good match takes. Your answers help decide what we
        build first.
      </p>
      {surveyUrl === null ? (
        <SurveySoon contactEmail={contactEmail} launch={launch} />
      ) : (
        <SurveyFrame url={surveyUrl} />
      )}
    </main>
  );
}
