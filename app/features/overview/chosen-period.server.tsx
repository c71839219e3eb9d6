import { countDays, type StatsPeriod } from "#app/features/overview/period-stats.server.ts";
import { PERIODS } from "#app/features/overview/stats.server.ts";
import { Button } from "#app/owner/ui/actions.server.tsx";
import { Field } from "#app/owner/ui/field.server.tsx";
import { Pills } from "#app/owner/ui/navigation.server.tsx";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { Problems } from "#app/owner/ui/page.server.tsx";
import { shortDate } from "#app/server/time/british-date.ts";
import { localDate, shiftDate, startOfDate } from "#app/server/time/time-zone-days.ts";

/* Which days the overview is of: some number of the last ones, a calendar month, or those between two dates. */

export interface ChosenPeriod {
  period: StatsPeriod;
  /** Of its address. */
  query: Record<string, string>;
  /** Today in the owner's time zone (`YYYY-MM-DD`). */
  today: string;
  /** Dates that were typed and are none, with what is wrong with them. The period is then the usual one. */
  refused?: { from: string; until: string; problem: string };
}

/** A year. Longer periods would be charts of many narrow bars, and more rows to read. */
const MAX_DAYS = 366;

export function readPeriod(c: OwnerContext): ChosenPeriod {
  const { now, timeZone } = c.var.app;
  const today = localDate(now(), timeZone);
  const days = PERIODS.find((period) => String(period) === c.req.query("days")) ?? PERIODS[0];
  const usual = { period: { days }, query: { days: String(days) }, today };
  const [from, until] = [c.req.query("from"), c.req.query("until")];
  if (from === undefined || until === undefined) return usual;
  const problem = dateProblem({ from, until }, today, timeZone);
  if (problem !== null) return { ...usual, refused: { from, until, problem } };
  return { period: { from, until }, query: { from, until }, today };
}

function dateProblem({ from, until }: { from: string; until: string }, today: string, timeZone: string): string | null {
  if (startOfDate(from, timeZone) === null || startOfDate(until, timeZone) === null) return "Choose two dates.";
  if (until > today) return "Choose a last day that is not after today.";
  if (from > until) return "Choose a first day that is not after the last one.";
  return countDays({ from, until }) > MAX_DAYS ? `Choose at most ${MAX_DAYS} days.` : null;
}

/** `The last 30 days`, `October 2026`, `5 Oct 2026 to 9 Nov 2026` */
export function periodTitle({ period }: ChosenPeriod): string {
  if ("days" in period) return `The last ${period.days} days`;
  const { from, until } = period;
  if (from === until) return shortDate(from);
  return from === firstOfMonth(until) && until === lastOfMonth(until)
    ? monthFormat.format(new Date(from))
    : `${shortDate(from)} to ${shortDate(until)}`;
}

interface ChoiceProps {
  chosen: ChosenPeriod;
  /** Of the page. */
  path: string;
  /** What else is in its address. */
  fields?: Record<string, string>;
  /** The day of the first sign-up; months before it are left out. */
  since: string | null;
}

/** Links to the usual periods, and to the last calendar month, which shows the other months and fields for any dates. */
export function PeriodChoice({ chosen: { period, query, today, refused }, path, fields = {}, since }: ChoiceProps) {
  const hrefOf = (query: Record<string, string>) => `${path}?${new URLSearchParams({ ...fields, ...query })}`;
  const link = (text: string, query: Record<string, string>, isCurrent: boolean) => ({
    text,
    href: hrefOf(query),
    isCurrent,
  });
  const days = "days" in period && refused === undefined ? period.days : null;
  const { from, until } = refused ?? ("days" in period ? { from: "", until: "" } : period);
  const listed = months(today, since ?? today);
  return (
    <>
      <Pills
        label="Period"
        links={[
          ...PERIODS.map((length) => link(`${length} days`, { days: String(length) }, length === days)),
          link("Months", listed[1] ?? listed[0], days === null),
        ]}
      />
      {days === null ? (
        <div className="period-dates">
          <Problems problems={refused === undefined ? [] : [refused.problem]} />
          <Pills
            label="Month"
            links={listed.map((month) =>
              link(shortMonthFormat.format(new Date(month.from)), month, hrefOf(month) === hrefOf(query)),
            )}
          />
          <form className="form form-row flush" action={path}>
            {Object.entries(fields).map(([name, value]) => (
              <input key={name} type="hidden" name={name} value={value} />
            ))}
            <Field name="from" label="From" type="date" value={from} />
            <Field name="until" label="Until" type="date" value={until} />
            <Button label="Show" />
          </form>
        </div>
      ) : null}
    </>
  );
}

/** As many as there are links to; earlier ones by their dates. */
const MAX_MONTHS = 12;

/** The days of the latest calendar months that have some since a day, newest first; the present one until today. */
function months(today: string, since: string): [Month, ...Month[]] {
  const found: [Month, ...Month[]] = [{ from: firstOfMonth(today), until: today }];
  let until = shiftDate(found[0].from, -1);
  while (found.length < MAX_MONTHS && until >= since) {
    const from = firstOfMonth(until);
    found.push({ from, until });
    until = shiftDate(from, -1);
  }
  return found;
}

type Month = Record<"from" | "until", string>;

function firstOfMonth(date: string): string {
  return `${date.slice(0, 8)}01`;
}

function lastOfMonth(date: string): string {
  // 31 days after the first of a month is always in the next one.
  return shiftDate(firstOfMonth(shiftDate(firstOfMonth(date), 31)), -1);
}

const monthFormat = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });
const shortMonthFormat = new Intl.DateTimeFormat("en-GB", { month: "short", year: "numeric", timeZone: "UTC" });
