import { parseId } from "#app/owner/ui/owner-context.ts";
import { fieldText } from "#app/server/http/read-form.server.ts";
import { parseLocalTime } from "#app/server/time/local-time.ts";

/** Which events are to be sent again. */
export interface GivenSince {
  /** As typed. */
  time: string;
  which: "failed" | "all";
  /** When they had failed or been accepted (milliseconds since 1970), so that the next ones can follow the first. */
  endedBefore: number;
}

/** The same with the moment of `time` (milliseconds since 1970); null if it is not valid. */
export interface ReadSince extends GivenSince {
  since: number | null;
}

export function readSince(form: FormData, now: number, timeZone: string): ReadSince {
  const time = fieldText(form, "since");
  const which = form.get("which") === "all" ? "all" : "failed";
  const endedBefore = Number(parseId(fieldText(form, "ended")) ?? now);
  return { time, which, endedBefore, since: earliest(time, timeZone) };
}

/** Of a time that clocks show twice or not at all, the earlier moment: rather one event too many than one too few. */
function earliest(time: string, timeZone: string): number | null {
  const local = parseLocalTime(time, timeZone);
  switch (local.kind) {
    case "exact":
      return local.at;
    case "doubled":
      return local.first;
    case "skipped": {
      const at = parseLocalTime(wallClock(Date.parse(`${time}Z`) - HOUR, "UTC"), timeZone);
      return at.kind === "exact" ? at.at : null;
    }
    case "malformed":
      return null;
  }
}

const HOUR = 3_600_000;

/** A time as `<input type="datetime-local">` takes it. */
export function wallClock(time: number, timeZone: string): string {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" });
  return format.format(time).replace(" ", "T");
}
