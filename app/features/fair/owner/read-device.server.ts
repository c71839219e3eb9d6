import { MAX_DAYS } from "#app/features/fair/devices.server.ts";

/** Characters. */
export const MAX_EVENT_LENGTH = 60;

export interface TypedDevice {
  event: string;
  /** A number, as text. */
  days: string;
}

export const dayOptions: Record<string, string> = Object.fromEntries(
  Array.from({ length: MAX_DAYS }, (_, index) => [String(index + 1), index === 0 ? "1 day" : `${index + 1} days`]),
);

export function readTypedDevice(
  form: FormData,
): TypedDevice & { problems: Partial<Record<keyof TypedDevice, string>> } {
  const [event, days] = ["event", "days"].map((name) => {
    const typed = form.get(name);
    return (typeof typed === "string" ? typed : "")
      .replace(/[\p{Cc}\s]+/gu, " ")
      .trim()
      .toWellFormed();
  }) as [string, string];
  const problem = eventProblem(event);
  return {
    event,
    days,
    problems: {
      ...(problem === null ? {} : { event: problem }),
      ...(Object.hasOwn(dayOptions, days) ? {} : { days: "Choose how long it can be used." }),
    },
  };
}

function eventProblem(event: string): string | null {
  if (event === "") return "Enter the name of the event.";
  if (event.length > MAX_EVENT_LENGTH) return `Use at most ${MAX_EVENT_LENGTH} characters.`;
  // The log shows names, and holds no addresses.
  return event.includes("@") ? "Leave out email addresses: the log shows this name." : null;
}
