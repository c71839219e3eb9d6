import { scaleLinear } from "d3-scale";
import {
  type ChosenPeriod,
  PeriodChoice,
  periodTitle,
  readPeriod,
} from "#app/features/overview/chosen-period.server.tsx";
import { ANSWERED, type GroupKind, MAX_GROUPS, type StatsGroup } from "#app/features/overview/group-stats.server.ts";
import { listHref } from "#app/features/overview/list-links.ts";
import { readStats, type Stats } from "#app/features/overview/stats.server.ts";
import { type Column, Table } from "#app/owner/ui/data.server.tsx";
import { formatNumber, formatRate } from "#app/owner/ui/labels.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { Page } from "#app/owner/ui/page.server.tsx";
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
  /** Whether names come and go, so that those by which people came lately matter most. */
  isLabel?: boolean;
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
    isLabel: true,
  },
  {
    kind: "utm_source",
    heading: "By campaign source",
    caption: "Where they found its link",
    unnamed: "Untagged",
    isLabel: true,
  },
  {
    kind: "referrer_host",
    heading: "By referring site",
    caption: "Without one, they typed or scanned the address",
    unnamed: "No referring site",
    isLabel: true,
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

interface OriginsProps extends Pick<ChosenPeriod, "query"> {
  stats: Stats;
  dates: Dates;
  /** Whether the period ends today: then names by which people came lately stand first. */
  isPresent: boolean;
}

export function Origins({ stats: { groups, periods }, dates, query, isPresent }: OriginsProps) {
  if (periods.chosen.joined < LEAST_PEOPLE) {
    return (
      <p className="none">{`Where people came from is shown once ${LEAST_PEOPLE} people have joined in the period.`}</p>
    );
  }
  const question = mainQuestion();
  const toSection = ({ heading, ...origin }: Origin) => (
    <section key={origin.kind} aria-labelledby={`by-${origin.kind}`}>
      <h2 id={`by-${origin.kind}`}>{heading}</h2>
      <ShortTable {...origin} groups={groups[origin.kind] ?? []} {...{ dates, query, isPresent }} />
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

/** All groups of one kind, with the period to choose. */
export async function showGroups(c: OwnerContext) {
  const question = mainQuestion();
  const origins = [...main(question), ...others(question)];
  const origin = origins.find(({ kind }) => kind === c.req.query("by"));
  if (origin === undefined) return c.notFound();
  const { app } = c.var;
  const chosen = readPeriod(c);
  if (chosen.refused !== undefined) c.status(422);
  const { stats } = await readStats(app, { ...chosen.period, timeZone: app.timeZone });
  const { heading, caption, ...shown } = origin;
  const groups = stats.groups[origin.kind] ?? [];
  const dates = { from: stats.days[0]?.date ?? "", until: stats.days.at(-1)?.date ?? "" };
  return c.render(
    <Page
      title={heading}
      section="overview"
      back={{ href: `/owner?${new URLSearchParams(chosen.query)}`, name: "Back to the overview" }}
    >
      <section className="period narrow" aria-labelledby="period">
        <h2 id="period">{periodTitle(chosen)}</h2>
        <PeriodChoice chosen={chosen} path="/owner/groups" fields={{ by: origin.kind }} since={stats.joinedSince} />
      </section>
      <div className="narrow spaced">
        <GroupTable {...shown} caption={`${caption}, the largest first`} groups={groups} dates={dates} />
      </div>
      {groups.length > MAX_GROUPS ? (
        <p className="hint">{`The ${formatNumber(MAX_GROUPS)} largest are listed. Choose fewer days to see others.`}</p>
      ) : null}
    </Page>,
  );
}

type GroupTableProps = Omit<Origin, "heading"> & { groups: StatsGroup[]; dates: Dates };

/** Groups shown at once. A single one more is not worth a button. */
const TOP = 5;

/** Groups shown by a button; all of them have a page. */
const MOST = 12;

/** The first groups, more of them on demand, and the rest in a line that leads to the page of all. */
function ShortTable({
  groups,
  query,
  isPresent,
  ...origin
}: GroupTableProps & Pick<OriginsProps, "query" | "isPresent">) {
  const isByRecent = isPresent && origin.isLabel === true;
  const inOrder = isByRecent ? recentFirst(groups) : groups;
  const props = isByRecent ? { ...origin, caption: `${origin.caption} (recent first)` } : origin;
  if (inOrder.length <= TOP + 1) return <GroupTable {...props} groups={inOrder} />;
  const restHref = `/owner/groups?${new URLSearchParams({ by: props.kind, ...query })}`;
  return (
    <>
      <GroupTable {...props} groups={inOrder.slice(0, TOP)} scale={inOrder} />
      <details className="data">
        <summary>{inOrder.length > MOST + 1 ? "Show more" : `Show all ${inOrder.length}`}</summary>
        <GroupTable
          {...props}
          groups={withRest(inOrder.slice(TOP), MOST - TOP)}
          scale={inOrder}
          {...{ restHref }}
          isRest
        />
      </details>
    </>
  );
}

/** Those by which most people came in the last week of the period. */
function recentFirst(groups: StatsGroup[]): StatsGroup[] {
  return groups.toSorted((a, b) => Number(a.name === null) - Number(b.name === null) || b.recent - a.recent);
}

/** The first groups, and all others added up. */
function withRest(groups: StatsGroup[], most: number): StatsGroup[] {
  if (groups.length <= most + 1) return groups;
  const rest = { name: null, people: 0, recent: 0, asked: 0, confirmed: 0, visits: 0 };
  for (const group of groups.slice(most)) {
    rest.people += group.people;
    rest.asked += group.asked;
    rest.confirmed += group.confirmed;
    rest.visits += group.visits;
  }
  return [...groups.slice(0, most), rest];
}

interface TableProps extends GroupTableProps {
  /** The groups that the bars compare. Default: the shown ones. */
  scale?: StatsGroup[];
  /** The page with all others. */
  restHref?: string;
  /** Whether the same table begins above. */
  isRest?: boolean;
}

function GroupTable(props: TableProps) {
  const { caption, kind, groups, unnamed, labels = {}, dates, scale = groups, restHref, isRest = false } = props;
  const isShown = scale.some((group) => group.people > 0 || group.visits > 0);
  if (!isShown) return <p className="none">{kind === "page" ? "No visits yet." : "No entries yet."}</p>;
  const measure = (group: StatsGroup) => (kind === "page" ? group.visits : group.people);
  const width = scaleLinear([0, Math.max(1, ...scale.map(measure))], [0, 100]).clamp(true);
  const nameOf = ({ name }: StatsGroup) =>
    name === null ? "All others" : name === "" ? unnamed : wordFor(labels, name);
  const linkTo = (group: StatsGroup) => {
    const href = group.name === null ? restHref : groupHref(kind, group, dates);
    return href == null ? nameOf(group) : <a href={href}>{nameOf(group)}</a>;
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
  return (
    <Table
      className={isRest ? "middle group-table group-table-rest" : "middle uncaptioned group-table"}
      caption={isRest ? `${caption}, the rest` : caption}
      columns={[{ name: "Name", kind: "words", cell }, ...columnsOf(kind, scale)]}
      rows={groups}
      rowKey={({ name }) => String(name)}
    />
  );
}

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
