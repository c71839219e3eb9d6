import type * as v from "valibot";

/** What is wrong with a value, without the value itself: `must be a string`. */
export function issueDetail({ type, expected, requirement, message }: v.BaseIssue<unknown>): string {
  if (type === "strict_object" && expected === "never") return "is not a known field";
  if (type === "strict_object" && expected?.startsWith('"')) return "is missing";
  // Ours: see `formed`.
  if (type === "regex") return message;
  const known = details[type];
  return known === undefined ? `must be ${expected ?? "valid"}` : known(requirement, expected ?? "");
}

const details: Record<string, (requirement: unknown, expected: string) => string> = {
  string: () => "must be a string",
  number: () => "must be a whole number",
  integer: () => "must be a whole number",
  boolean: () => "must be true or false",
  strict_object: () => "must be an object",
  min_entries: () => "must have at least one field",
  min_length: () => "must not be empty",
  max_length: (max) => `must have at most ${max} characters`,
  min_value: (min) => `must be at least ${min}`,
  max_value: (max) => `must be at most ${max}`,
  picklist: (_, expected) => `must be one of ${expected.replace(/[()"]/g, "").replaceAll(" | ", ", ")}`,
  iso_timestamp: () => "must be a time, such as 2026-10-05T09:30:00Z",
};
