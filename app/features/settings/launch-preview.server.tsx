import type { ReactNode } from "react";
import { ButtonLink } from "#app/owner/ui/actions.server.tsx";
import { Section } from "#app/owner/ui/page.server.tsx";
import { launched } from "#app/site.ts";
import * as switches from "#app/switches.ts";

/* What owners read before the site says that the product is open, or no longer is. */

export interface Preview {
  title: string;
  /** The button that saves. */
  confirm: string;
  body: ReactNode;
}

/** @param url of the product */
export function openingPreview(url: string): Preview {
  return {
    title: "Say that the product is open",
    confirm: "Say that it is open",
    body: (
      <>
        <p className="lead">Nothing has changed yet. This is what visitors and people on the list will find.</p>
        <div className="setting-groups">
          <Section id="words" title="On the landing page" className="panel setting-group">
            <p className="lead">{launched.lead}</p>
            <p>
              <ButtonLink label={launched.button} href={url} />
            </p>
            <p>{launched.note}</p>
            <p className="hint">{`The button leads to ${url}.`}</p>
          </Section>
          <Changes rows={opening} />
        </div>
      </>
    ),
  };
}

export const closingPreview: Preview = {
  title: "Take sign-ups again",
  confirm: "Take sign-ups again",
  body: (
    <>
      <p className="lead">Nothing has changed yet. This is what visitors and people on the list will find.</p>
      <Changes
        rows={[
          ["Landing page and header", "The sign-up forms come back, and no button leads to the product."],
          ["The waitlist", "People can join again, from the site and from everywhere else."],
          ["Welcome emails", "They link to this site."],
        ]}
      />
    </>
  ),
};

type Change = [where: string, what: string];

const opening: Change[] = [
  [
    "Landing page",
    `A button replaces both forms. The benefits of joining, the launch date${switches.blog ? " and the sample posts" : ""} are left out.`,
  ],
  [`Header${switches.survey ? " and survey page" : ""}`, "A link to the product replaces Join Waitlist."],
  ...(switches.roadmap ? [["Roadmap", "The launch, its last milestone, is complete."] satisfies Change] : []),
  ...(switches.letters ? [["Public letters", "The form below them is left out."] satisfies Change] : []),
  ["Search engines, shared links and AI assistants", "They read that the product is open."],
  [
    "The waitlist",
    "It is closed. People who try to join, even with a form they opened before, are shown the way to the product.",
  ],
  ["Welcome emails that wait", "They are sent, with a link to the product."],
  ...(switches.letters && switches.series
    ? [["Follow-ups", "They stop. Those that wait are skipped."] satisfies Change]
    : []),
  ["Links in emails", "People can still unsubscribe, confirm, and see or erase their data."],
  ...(switches.letters
    ? [["Letters", "None is sent automatically. Write to the people on the list afterwards."] satisfies Change]
    : []),
];

function Changes({ rows }: { rows: Change[] }) {
  return (
    <Section id="changes" title="Within a minute, everywhere" className="panel setting-group">
      <dl className="bare-list settings">
        {rows.map(([where, what]) => (
          <div key={where}>
            <dt>{where}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
