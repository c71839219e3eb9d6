import { scaleLinear } from "d3-scale";
import { ANSWERED, type GroupKind, type StatsGroup } from "#app/features/overview/group-stats.server.ts";
import { listHref } from "#app/features/overview/list-links.ts";
import type { Stats } from "#app/features/overview/stats.server.ts";
import { type Column, Table } from "#app/owner/ui/data.server.tsx";
import { formatNumber, formatRate } from "#app/owner/ui/labels.ts";
import type { Question } from "#app/site.ts";
import * as switches from "#app/switches.ts";
import { wordFor } from "#app/ui/word-for.ts";
import { sourceNames } from "#app/waitlist/entries/sources.ts";
import { answerField, isAnswerField } from "#app/waitlist/questions/answers.ts";
import { askedQuestions, mainQuestion } from "#app/waitlist/questions/questions.server.ts";

/** The first and last day of a period (`YYYY-MM-DD`, in the owner's time zone). */
export interface Dates {
  from: string;
  until: string;
}

interface Origin {
  kind: GroupKind;
  heading: string;
  caption: string;
  /** The label of the group with an empty name. */
  unnamed: string;
  /** What people read for a name. */
  labels?: Readonly<Record<string, string>>;
}

function byAnswer(question: Question): Origin {
  return {
    kind: answerField(question),
    heading: `By ${question.label.toLowerCase()}`,
    caption: `Answers to “${question.wording}”`,
    unnamed: "No answer",
    labels: question.answers ?? { [ANSWERED]: "Answered" },
  };
}

/** Shown at once: what an owner acts on. */
const main = (question: Question | undefined): Origin[] => [
  {
    kind: "utm_campaign",
    heading: "By campaign",
    caption: "The fair, poster or post they came from",
    unnamed: "No campaign",
  },
  {
    kind: "utm_source",
    heading: "By campaign source",
    caption: "Where they found its link",
    unnamed: "Untagged",
  },
  {
    kind: "referrer_host",
    heading: "By referring site",
    caption: "Without one, they typed or scanned the address",
    unnamed: "No referring site",
  },
  ...(question === undefined ? [] : [byAnswer(question)]),
];

const others = (main: Question | undefined): Origin[] => [
  ...askedQuestions()
    .filter((question) => question !== main)
    .map(byAnswer),
  {
    kind: "source",
    heading: "By form",
    caption: "The form that people joined with",
    unnamed: "No form",
    labels: sourceNames,
  },
  ...(switches.visits
    ? [{ kind: "page", heading: "By landing page", caption: "Where visits began", unnamed: "" } as const]
    : []),
];

/** Groups of fewer people say nothing. */
const LEAST_PEOPLE = 10;

export function Origins({ stats: { groups, periods }, dates }: { stats: Stats; dates: Dates }) {
  if (periods.chosen.joined < LEAST_PEOPLE) {
    return (
      <p className="none">{`Where people came from is shown once ${LEAST_PEOPLE} people have joined in the period.`}</p>
    );
  }
  const question = mainQuestion();
  const toSection = ({ heading, ...origin }: Origin) => (
    <section key={origin.kind} aria-labelledby={`by-${origin.kind}`}>
      <h2 id={`by-${origin.kind}`}>{heading}</h2>
      <GroupTable {...origin} groups={groups[origin.kind] ?? []} dates={dates} />
    </section>
  );
  return (
    <>
      <div className="columns group-columns">{main(question).map(toSection)}</div>
      <details className="data more-groups">
        <summary>More groups</summary>
        <div className="columns group-columns">{others(question).map(toSection)}</div>
      </details>
    </>
  );
}

const visits = number("Visits", (group) => formatNumber(group.visits), true);
const people = number("Joined", (group) => formatNumber(group.people));
const rate = number("Conversion", (group) => formatRate(group.people, group.visits));
const confirmed = number(
  "Confirmed",
  (group) => (group.asked === 0 ? "–" : `${formatNumber(group.confirmed)} of ${formatNumber(group.asked)}`),
  true,
);

/** @param isExtra narrow screens leave it out */
function number(name: string, cell: Column<StatsGroup>["cell"], isExtra = false): Column<StatsGroup> {
  return { name, kind: "number", cell, isExtra };
}

type GroupTableProps = Omit<Origin, "heading"> & { groups: StatsGroup[]; dates: Dates };

function GroupTable({ caption, kind, groups, unnamed, labels = {}, dates }: GroupTableProps) {
  const isShown = groups.some((group) => group.people > 0 || group.visits > 0);
  if (!isShown) return <p className="none">{kind === "page" ? "No visits yet." : "No entries yet."}</p>;
  const columns = columnsOf(kind, groups);
  const measure = (group: StatsGroup) => (kind === "page" ? group.visits : group.people);
  const width = scaleLinear([0, Math.max(1, ...groups.map(measure))], [0, 100]);
  const nameOf = ({ name }: StatsGroup) =>
    name === null ? "All others" : name === "" ? unnamed : wordFor(labels, name);
  const linkTo = (group: StatsGroup) => {
    const href = groupHref(kind, group, dates);
    return href === null ? nameOf(group) : <a href={href}>{nameOf(group)}</a>;
  };
  const cell = (group: StatsGroup) => (
    <>
      {linkTo(group)}
      <svg className="group-bar" viewBox="0 0 100 3" preserveAspectRatio="none" aria-hidden="true">
        <rect width="100" height="3" fill="var(--border)" />
        <rect width={width(measure(group))} height="3" fill={group.name ? "var(--primary)" : "var(--edge)"} />
      </svg>
    </>
  );
  const table = (rows: StatsGroup[], isRest: boolean) => (
    <Table
      className={isRest ? "middle group-table group-table-rest" : "middle uncaptioned group-table"}
      caption={isRest ? `${caption}, the rest` : caption}
      columns={[{ name: "Name", kind: "words", cell }, ...columns]}
      rows={rows}
      rowKey={({ name }) => String(name)}
    />
  );
  if (groups.length <= TOP + 1) return table(groups, false);
  return (
    <>
      {table(groups.slice(0, TOP), false)}
      <details className="data">
        <summary>{`Show all ${groups.length}`}</summary>
        {table(groups.slice(TOP), true)}
      </details>
    </>
  );
}

/** Groups shown at once. A single one more is not worth a button. */
const TOP = 5;

/** Visits are not counted by form or answer, nor people by page. */
function columnsOf(kind: GroupKind, groups: StatsGroup[]): Column<StatsGroup>[] {
  if (kind === "page") return [{ ...visits, isExtra: false }];
  const last = groups.some(({ asked }) => asked > 0) ? [confirmed] : [];
  return kind === "source" || isAnswerField(kind)
    ? [people, ...last]
    : [people, ...(switches.visits ? [visits, rate] : []), ...last];
}

/** The list with the people behind a number. Null for groups that the list cannot show: all others, and pages. */
function groupHref(kind: GroupKind, { name, people }: StatsGroup, dates: Dates): string | null {
  if (name === null || kind === "page" || people === 0) return null;
  const question = askedQuestions().find((asked) => answerField(asked) === kind);
  // The list cannot show everyone who answered in their own words, or with an answer that is no longer offered.
  if (question !== undefined && name !== "" && !Object.hasOwn(question.answers ?? {}, name)) return null;
  return listHref({ ...(name === "" ? { without: kind } : { [kind]: name }), ...dates });
}
