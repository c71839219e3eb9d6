import { type ScaleBand, scaleLinear } from "d3-scale";
import {
  bar,
  Chart,
  type ChartArea,
  type ChartSize,
  type ChartUnit,
  chartUnit,
  DayLabels,
  dayScale,
  Grid,
  mergeWeeks,
  toTenths,
} from "#app/features/overview/charts/chart-frame.server.tsx";
import type { Stats } from "#app/features/overview/stats.server.ts";
import { type Column, Table } from "#app/owner/ui/data.server.tsx";
import { counted, formatDay, formatNumber } from "#app/owner/ui/labels.ts";
import { shortDate } from "#app/server/time/british-date.ts";
import * as switches from "#app/switches.ts";

type Day = Stats["days"][number];

interface TimelineProps {
  stats: Stats;
  /** IANA name. */
  timeZone: string;
  /** Whether it ends today, which is not over. */
  isPresent: boolean;
}

export function Timeline({ stats, timeZone, isPresent }: TimelineProps) {
  const unit = chartUnit(stats.days);
  const isByDay = unit === "day";
  // Days, or weeks by their first day.
  const days = isByDay ? stats.days : mergeWeeks(stats.days, mergeDays);
  const { visitsSince } = stats;
  const hasVisits = switches.visits && visitsSince !== null;
  const beginsLater = hasVisits && visitsSince > (days[0]?.date ?? "");
  return (
    <Chart
      title={`${hasVisits ? "Joined and visits" : "Joined"} each ${unit}`}
      label={describe(days, unit, hasVisits)}
      height={{ narrow: 270, wide: 270 }}
      draw={(chartArea, size) => {
        const x = dayScale(days, chartArea);
        return (
          <>
            <Hatch id={`hatch-joined-${size}`} fill="var(--primary)" />
            {hasVisits ? <Hatch id={`hatch-visits-${size}`} fill="var(--layer-2)" /> : null}
            {stackBands(hasVisits, chartArea).map((band) => (
              <DaysInBand key={band.kind} {...{ band, days, x, size, isPresent }} />
            ))}
            <DayLabels chartArea={chartArea} days={days} x={x} />
          </>
        );
      }}
      overlay={(size) => <Readouts {...{ days, unit, size, hasVisits }} />}
    >
      <p className="hint">
        {!isPresent
          ? null
          : isByDay
            ? "Today, which is hatched, is not over."
            : "The last week, which is hatched, is not over."}
        {beginsLater ? ` Visits have been counted since ${formatDay(visitsSince)}.` : ""}
      </p>
      <details className="data">
        <summary>Show data</summary>
        <Table
          caption={`${isByDay ? "Days" : "Weeks, by their first day,"} in ${timeZone}, newest first. Erased entries count only in the total.`}
          columns={[
            { name: isByDay ? "Day" : "Week", cell: ({ date }) => shortDate(date) },
            { name: "Joined", kind: "number", cell: ({ joined }) => formatNumber(joined) },
            { name: "Total", kind: "number", cell: ({ total }) => formatNumber(total) },
            ...(switches.visits ? [visitsColumn] : []),
          ]}
          rows={days.toReversed()}
          rowKey={({ date }) => date}
        />
      </details>
    </Chart>
  );
}

const visitsColumn: Column<Day> = { name: "Visits", kind: "number", cell: ({ visits }) => formatNumber(visits) };

function mergeDays(week: [Day, ...Day[]]): Day {
  const last = week.at(-1) ?? week[0];
  const sum = (of: "joined" | "visits") => week.reduce((total, day) => total + day[of], 0);
  return { ...week[0], until: last.until, total: last.total, joined: sum("joined"), visits: sum("visits") };
}

/** Space above a band for its name (SVG units). */
const BAND_GAP = 24;

interface Band {
  name: string;
  kind: "joined" | "visits" | "total";
  /** Its part of the height. */
  share: number;
}

/** All bands share the axis of days. */
function stackBands(hasVisits: boolean, chartArea: ChartArea): (Band & { area: ChartArea })[] {
  const bands: Band[] = [
    { name: "Joined", kind: "joined", share: 0.45 },
    ...(hasVisits ? [{ name: "Visits", kind: "visits", share: 0.3 } as const] : []),
    { name: "Joined in total", kind: "total", share: 0.25 },
  ];
  const whole = bands.reduce((sum, { share }) => sum + share, 0);
  const height = chartArea.bottom - chartArea.top - BAND_GAP * (bands.length - 1);
  let top = chartArea.top;
  return bands.map((band) => {
    const bottom = top + (height * band.share) / whole;
    const area = { ...chartArea, top, bottom };
    top = bottom + BAND_GAP;
    return { ...band, area };
  });
}

interface BandProps {
  band: { name: string; kind: Band["kind"]; area: ChartArea };
  days: Day[];
  x: ScaleBand<string>;
  size: ChartSize;
  isPresent: boolean;
}

function DaysInBand({ band, days, x, size, isPresent }: BandProps) {
  const { name, kind, area } = band;
  const values = days.map((day) => day[kind]);
  const y = scaleLinear([kind === "total" ? Math.min(...values) : 0, Math.max(...values, 1)], [area.bottom, area.top]);
  return (
    <>
      <Grid chartArea={area} y={y.nice(2)} count={2} />
      <text className="chart-band" x={area.left} y={toTenths(area.top - 9)}>
        {name}
      </text>
      {kind === "total" ? <Steps {...{ band, days, x, y }} /> : <Bars {...{ band, days, x, y, size, isPresent }} />}
    </>
  );
}

type DrawnProps = BandProps & { y: (value: number) => number };

function Bars({ band: { kind, area }, days, x, y, size, isPresent }: DrawnProps) {
  const over = isPresent ? days.slice(0, -1) : days;
  const path = (shown: Day[]) =>
    shown
      .filter((day) => day[kind] > 0)
      .map((day) => bar(x, day.date, area.bottom, y(day[kind])))
      .join("");
  return (
    <>
      <path
        className={`chart-bars chart-bars-${kind}`}
        d={path(over)}
        fill={kind === "joined" ? "var(--primary)" : "var(--layer-2)"}
      />
      <path
        className={`chart-today chart-today-${kind}`}
        d={path(days.slice(over.length))}
        fill={`url(#hatch-${kind}-${size})`}
      />
    </>
  );
}

function Hatch({ id, fill }: { id: string; fill: string }) {
  return (
    <pattern id={id} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <path d="M0,0H2.5V5H0Z" fill={fill} />
    </pattern>
  );
}

/** A step for each day, since a total stays the same between two sign-ups. */
function Steps({ band: { area }, days, x, y }: Omit<DrawnProps, "size" | "isPresent">) {
  const line = `M${area.left},${toTenths(y(days[0]?.total ?? 0))}${days
    .map(({ date, total }) => `V${toTenths(y(total))}H${toTenths((x(date) ?? 0) + x.bandwidth() + x.step() * 0.125)}`)
    .join("")}`;
  return (
    <>
      <path d={`${line}V${area.bottom}H${area.left}Z`} fill="var(--secondary)" opacity="0.22" />
      <path d={line} fill="none" stroke="var(--chart-line)" strokeWidth="2" />
    </>
  );
}

function describe(days: Day[], unit: ChartUnit, hasVisits: boolean): string {
  const most = (of: "joined" | "visits") => Math.max(...days.map((day) => day[of]));
  const visits = hasVisits ? `, and visits, at most ${most("visits")}` : "";
  return `Bars for each of ${days.length} ${unit}s: joined, at most ${most("joined")}${visits}. A line: joined in total, from ${days[0]?.total ?? 0} to ${days.at(-1)?.total ?? 0}.`;
}

interface ReadoutsProps {
  days: Day[];
  unit: ChartUnit;
  size: ChartSize;
  hasVisits: boolean;
}

/**
 * The numbers of the day under the pointer, or of the one that has the focus. Radio buttons need no script: Tab leads to
 * them once, and the arrow keys from day to day.
 */
function Readouts({ days, unit, size, hasVisits }: ReadoutsProps) {
  return (
    <fieldset className="chart-days">
      <legend className="visually-hidden">{`The numbers of one ${unit}`}</legend>
      {days.map(({ date, joined, visits, total }) => (
        <label key={date}>
          <input type="radio" name={`chart-${size}`} />
          <span className="chart-numbers">
            {`${unit === "week" ? "Week from " : ""}${formatDay(date)}: ${formatNumber(joined)} joined, `}
            {hasVisits ? `${counted(visits, "visit", "visits")}, ` : ""}
            {`${formatNumber(total)} in total`}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
