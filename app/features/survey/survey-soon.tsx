import { EmptyPitch } from "#app/ui/illustrations/empty-pitch.tsx";
import { PageLink } from "#app/ui/page-link.tsx";
import type { Launch } from "#app/ui/root-data.ts";

const questions = [
  "How do you find stallholders, or events to trade at, today?",
  "What do you need to know before you say yes to each other?",
  "Which paperwork takes you the longest?",
  "What has gone wrong at a fair, and what would have prevented it?",
];

export function SurveySoon({ contactEmail, launch }: { contactEmail: string; launch: Launch | undefined }) {
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
