import { useEffect } from "react";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { surveyPage } from "#app/features/survey/page.ts";
import { PageMeta } from "#app/layout/seo/page-meta.tsx";
import { appContext } from "#app/server/context.ts";
import { site } from "#app/site.ts";
import { BackHome } from "#app/ui/back-home.tsx";
import { EmptyPitch } from "#app/ui/illustrations/empty-pitch.tsx";
import { PageLink } from "#app/ui/page-link.tsx";
import { useRootData } from "#app/ui/root-data.ts";

export const handle = { page: surveyPage };

export function loader({ context }: LoaderFunctionArgs) {
  const { SURVEY_URL, CONTACT_EMAIL } = context.get(appContext).config;
  return { surveyUrl: SURVEY_URL ?? null, contactEmail: CONTACT_EMAIL };
}

export default function Survey() {
  const { surveyUrl, contactEmail } = useLoaderData<typeof loader>();
  const { ownCspPaths } = useRootData() ?? {};
  // A survey that has opened since the document was loaded: its policy does not allow the frame.
  const needsDocument = surveyUrl !== null && ownCspPaths?.includes(surveyPage.path) === false;
  useEffect(() => {
    if (needsDocument) window.location.reload();
  }, [needsDocument]);
  return (
    <main id="main" className="prose page">
      <PageMeta page={surveyPage} />
      <BackHome />
      <h1>Survey: tell us what you need</h1>
      <p className="lead">
        Whether you host events or trade at them, you know what a good match takes, from the pitch fee to the set-up
        time. Your answers help decide what we build first.
      </p>
      {surveyUrl === null ? <SurveySoon contactEmail={contactEmail} /> : null}
      {surveyUrl === null || needsDocument ? null : <SurveyFrame url={surveyUrl} />}
    </main>
  );
}

const questions = [
  "How do you find stallholders, or events to trade at, today?",
  "What do you need to know before you say yes to each other?",
  "Which paperwork takes you the longest?",
  "What has gone wrong at a fair, and what would have prevented it?",
];

function SurveySoon({ contactEmail }: { contactEmail: string }) {
  const launch = useRootData()?.launch;
  const letter = `mailto:${contactEmail}?subject=${encodeURIComponent("Survey")}&body=${encodeURIComponent(questions.join("\n\n\n"))}`;
  return (
    <div className="survey-soon">
      <div>
        <h2>The survey opens soon</h2>
        <p>These are the questions it will ask event hosts and stallholders:</p>
        <ol>
          {questions.map((question) => (
            <li key={question}>{question}</li>
          ))}
        </ol>
        <p>
          You don’t have to wait. Send your answers to <a href={`mailto:${contactEmail}`}>{contactEmail}</a>, even if
          you answer only one. The owner reads every email.
        </p>
        <p className="actions">
          <a className="button" href={letter}>
            Answer by email
          </a>
          {launch === undefined ? (
            <PageLink className="button button-quiet" to="/#join">
              Join Waitlist
            </PageLink>
          ) : (
            <a className="button button-quiet" href={launch.url}>
              {launch.button}
            </a>
          )}
        </p>
      </div>
      <EmptyPitch />
    </div>
  );
}

/**
 * The provider's survey form in a sandboxed iframe. `allow-same-origin` keeps the form on the provider's origin, whose
 * session holds the visitor's answers together.
 */
function SurveyFrame({ url }: { url: string }) {
  return (
    <>
      <iframe
        className="survey-frame"
        src={url}
        title={`Survey for ${site.host.label} and ${site.stallholder.label}`}
        sandbox="allow-forms allow-scripts allow-same-origin allow-popups"
        referrerPolicy="strict-origin-when-cross-origin"
      />
      <p>
        The form is provided by <span translate="no">{new URL(url).host}</span>, which receives your answers under its
        own privacy policy. If your browser doesn’t show it,{" "}
        <a href={url} target="_blank" rel="noopener">
          open the survey in a new tab
        </a>
        .
      </p>
    </>
  );
}
