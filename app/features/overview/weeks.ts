export type ChartUnit = "day" | "week";

/** In longer periods, a phone could not tell days apart. */
const MAX_DAYS = 120;

export function chartUnit(days: unknown[]): ChartUnit {
  return days.length > MAX_DAYS ? "week" : "day";
}

/** Merges days, oldest first, into full weeks that end with the last day; days before the first full week are left out. */
export function mergeWeeks<Day>(days: Day[], merge: (week: [Day, ...Day[]]) => Day): Day[] {
  const weeks: Day[] = [];
  for (let end = days.length; end >= 7; end -= 7) weeks.unshift(merge(days.slice(end - 7, end) as [Day, ...Day[]]));
  return weeks;
}
