import type { ReactNode } from "react";
import { Table } from "#app/owner/ui/data.server.tsx";
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
        <Section id="words" title="On the landing page" className="panel">
          <p className="lead">{launched.lead}</p>
          <p>
            <span className="hint">Button: </span>
            <strong>{launched.button}</strong>
            {", which leads to "}
            <a href={url}>{url}</a>
          </p>
          <p>{launched.note}</p>
        </Section>
        <Changes rows={opening} />
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
          ["Welcome emails", "Lead to this site."],
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
  ...(switches.roadmap ? [["Roadmap", "Its last milestone, the launch, is complete."] satisfies Change] : []),
  ["Search engines, shared links and AI assistants", "Read that the product is open."],
  [
    "The waitlist",
    "It is closed. Whoever tries to join, also with a form that was opened before, is shown the way to the product.",
  ],
  ["Welcome emails that wait", "Are sent, with a link to the product."],
  ...(switches.letters && switches.series
    ? [["Follow-ups", "Stop. Those that wait are skipped."] satisfies Change]
    : []),
  ["Links in emails", "Unsubscribing, confirming and seeing one’s data go on working."],
  ...(switches.letters
    ? [["Letters", "None is sent by itself. Tell the people on the list with a letter afterwards."] satisfies Change]
    : []),
];

function Changes({ rows }: { rows: Change[] }) {
  return (
    <Table
      className="cards"
      caption="What changes, on every page within a minute"
      columns={[
        { name: "Where", kind: "words", cell: ([where]) => where },
        { name: "What", kind: "words", cell: ([, what]) => what },
      ]}
      rows={rows}
      rowKey={([where]) => where}
    />
  );
}
