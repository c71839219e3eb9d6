import { countDays, type StatsPeriod } from "#app/features/overview/period-stats.server.ts";
import { PERIODS } from "#app/features/overview/stats.server.ts";
import { Button } from "#app/owner/ui/actions.server.tsx";
import { Field } from "#app/owner/ui/field.server.tsx";
import { Pills } from "#app/owner/ui/navigation.server.tsx";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
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

export function PeriodChoice({ chosen: { period, query, today, refused }, path, fields = {}, since }: ChoiceProps) {
  const hrefOf = (query: Record<string, string>) => `${path}?${new URLSearchParams({ ...fields, ...query })}`;
  const current = hrefOf(query);
  const link = (text: string, query: Record<string, string>) => {
    return { text, href: hrefOf(query), isCurrent: refused === undefined && hrefOf(query) === current };
  };
  const { from = "", until = "" } = refused ?? ("days" in period ? {} : period);
  return (
    <>
      <Pills label="Period" links={PERIODS.map((days) => link(`${days} days`, { days: String(days) }))} />
      <details className="data period-dates" open={from !== "" || refused !== undefined}>
        <summary>A month or other dates</summary>
        <Pills
          label="Month"
          links={months(today, since ?? today).map((month) =>
            link(shortMonthFormat.format(new Date(month.from)), month),
          )}
        />
        <form className="form flush" action={path}>
          {Object.entries(fields).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <div className="form-row">
            <Field name="from" label="From" type="date" value={from} problem={refused?.problem} />
            <Field name="until" label="Until" type="date" value={until} />
            <Button label="Show" />
          </div>
        </form>
      </details>
    </>
  );
}

/** As many as there are links to; earlier ones by their dates. */
const MAX_MONTHS = 12;

/** The days of the latest calendar months that have some since a day, newest first; the present one until today. */
function months(today: string, since: string): { from: string; until: string }[] {
  const found = [{ from: firstOfMonth(today), until: today }];
  while (found.length < MAX_MONTHS) {
    const until = shiftDate(found.at(-1)?.from ?? "", -1);
    if (until < since) break;
    found.push({ from: firstOfMonth(until), until });
  }
  return found;
}

function firstOfMonth(date: string): string {
  return `${date.slice(0, 8)}01`;
}

function lastOfMonth(date: string): string {
  // A month after its first day is within the next one, or at its first day.
  return shiftDate(firstOfMonth(shiftDate(firstOfMonth(date), 31)), -1);
}

const monthFormat = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });
const shortMonthFormat = new Intl.DateTimeFormat("en-GB", { month: "short", year: "numeric", timeZone: "UTC" });
