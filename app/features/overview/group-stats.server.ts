import { type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import type { VisitKind } from "#app/server/db/schema/statistics.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import type { Question } from "#app/site.ts";
import { OTHER } from "#app/waitlist/entries/campaign-name.ts";
import { originColumns } from "#app/waitlist/entries/origin-columns.ts";
import { type AnswerField, answerField, isAnswerField } from "#app/waitlist/questions/answers.ts";
import { askedQuestions } from "#app/waitlist/questions/questions.server.ts";

export type GroupKind = "source" | Exclude<VisitKind, "via" | "link"> | AnswerField;

/** The group of everyone who answered a question in their own words. */
export const ANSWERED = "answered";

/** Sign-ups and visits of one name. `name` is empty for those without one, and null for all other names together. */
export interface StatsGroup {
  name: string | null;
  /** Entries that joined in the period and still exist. */
  people: number;
  /** How many of them joined in its last days. */
  recent: number;
  /** How many of them were asked to confirm their address, and how many did. */
  asked: number;
  confirmed: number;
  /** 0 for sources and answers, by which visits are not counted. */
  visits: number;
}

/** Groups listed by name. Visitors choose names, and could otherwise fill the stored stats. */
export const MAX_GROUPS = 250;

interface GroupRow extends StatsGroup {
  kind: GroupKind;
}

interface GroupPeriod {
  from: EpochMillis;
  until: EpochMillis;
  /** `YYYY-MM-DD` */
  first: string;
  last: string;
  recent: EpochMillis;
}

/**
 * The sign-ups and the visits of a period, by every kind of name at once: one pass over the entries
 * counts each combination of names, of which there are few, and the rest works on those. SQLite sorts a million entries
 * sooner by one array than by five columns.
 *
 * @param period its moments (`until` exclusive) and days (both included), and the moment from which a sign-up is recent
 */
export function groupRows(db: Db, period: GroupPeriod) {
  const questions = askedQuestions();
  const kinds = ["source", ...originColumns, ...questions.map(answerField)];
  const columns = [...["source", ...originColumns].map((name) => sql.identifier(name)), ...questions.map(groupOf)];
  const query = sql`
    WITH combinations AS MATERIALIZED (
      SELECT json_array(${sql.join(columns, sql`, `)}) AS names,
        count(*) AS people, sum(created_at >= ${period.recent}) AS recent, count(confirm_by) AS asked,
        sum(confirm_by IS NOT NULL AND confirmed_at IS NOT NULL) AS confirmed
      FROM waitlist_emails WHERE created_at >= ${period.from} AND created_at < ${period.until} GROUP BY names
    ),
    named AS (
      SELECT ${JSON.stringify(kinds)} ->> key AS kind, value AS name, people, recent, asked,
        confirmed, 0 AS visits
      FROM combinations, json_each(names)
      UNION ALL
      SELECT kinds.key, names.key, 0, 0, 0, 0, names.value
      FROM page_visits, json_each(counts) AS kinds, json_each(kinds.value) AS names
      WHERE day BETWEEN ${period.first} AND ${period.last} AND kinds.key <> 'link'
    ),
    spelled AS (
      SELECT kind, coalesce(name, '') AS name, sum(people) AS people, sum(recent) AS recent, sum(asked) AS asked,
        sum(confirmed) AS confirmed, sum(visits) AS visits
      FROM named GROUP BY 1, 2
    ),
    made AS MATERIALIZED (
      SELECT 'utm_source' AS kind, utm_source AS name FROM links
      UNION ALL
      SELECT 'utm_campaign', utm_campaign FROM links WHERE utm_campaign <> ''
    ),
    grouped AS (
      SELECT kind, name, max(((kind, name) IN made) * 1e15 + people * 1e9 + visits) AS shown, sum(people) AS people,
        sum(recent) AS recent, sum(asked) AS asked, sum(confirmed) AS confirmed, sum(visits) AS visits
      FROM spelled GROUP BY kind, name COLLATE NOCASE
    ),
    ranked AS (
      SELECT *, row_number() OVER (PARTITION BY kind ORDER BY name IS ${OTHER}, people DESC, visits DESC, name) AS position
      FROM grouped
    )
    SELECT kind, CASE WHEN position <= ${MAX_GROUPS} AND name <> ${OTHER} THEN name END AS name, sum(people) AS people,
      sum(recent) AS recent, sum(asked) AS asked, sum(confirmed) AS confirmed, sum(visits) AS visits
    FROM ranked GROUP BY 1, 2 ORDER BY max(position)`;
  return db
    .select({
      kind: sql<GroupKind>`kind`,
      name: sql<string | null>`name`,
      people: sql<number>`people`,
      recent: sql<number>`recent`,
      asked: sql<number>`asked`,
      confirmed: sql<number>`confirmed`,
      visits: sql<number>`visits`,
    })
    .from(sql`(${query})`);
}

/** The stored answer; texts make one group, because they differ from each other. */
function groupOf({ key, answers }: Question): SQL {
  const stored = sql`answers ->> ${key}`;
  return answers === undefined ? sql`CASE WHEN ${stored} IS NOT NULL THEN ${ANSWERED} END` : stored;
}

/** The groups of one kind; visits without a name of this kind count in the group without one. */
export function groupsOf(rows: GroupRow[], wanted: GroupKind): StatsGroup[] {
  const groups = rows.filter(({ kind }) => kind === wanted).map(({ kind: _, ...group }) => group);
  if (wanted === "source" || isAnswerField(wanted) || wanted === "page") return groups;
  const visits = sumOf(rows.filter(({ kind }) => kind === "page")) - sumOf(groups);
  const unnamed = groups.find(({ name }) => name === "");
  if (unnamed !== undefined) unnamed.visits = visits;
  else if (visits > 0) groups.push({ name: "", people: 0, recent: 0, asked: 0, confirmed: 0, visits });
  return groups;
}

function sumOf(groups: StatsGroup[]): number {
  return groups.reduce((sum, { visits }) => sum + visits, 0);
}
