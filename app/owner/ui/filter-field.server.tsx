import { Choice, Field } from "#app/owner/ui/field.server.tsx";
import { filterLabels } from "#app/owner/ui/filter-labels.ts";
import { questions } from "#app/site.ts";
import { wordFor } from "#app/ui/word-for.ts";
import { emailFilterOptions } from "#app/waitlist/email-filter.ts";
import { originColumns } from "#app/waitlist/origin-columns.ts";
import { answerField, MAX_ANSWER_LENGTH } from "#app/waitlist/questions/answers.ts";
import { sourceNames } from "#app/waitlist/sources.ts";

/** Values to choose from, by filter. */
export type FilterChoices = Record<"source" | (typeof originColumns)[number], string[]>;

interface FilterFieldProps {
  name: string;
  values: URLSearchParams;
  choices: FilterChoices;
  /** Why values are refused, by filter. */
  problems?: Record<string, string>;
  /** Of a select: texts by value. */
  options?: Record<string, string>;
}

/** A filter of the list. */
export function FilterField({ name, values, choices, problems, options }: FilterFieldProps) {
  const value = values.get(name) ?? "";
  const field = { name, label: filterLabels[name]?.label ?? name, value, problem: problems?.[name] };
  const origin = originColumns.find((column) => column === name);
  if (origin !== undefined) {
    return <Field {...field} suggestions={choices[origin]} maxLength={400} autoCapitalize="none" spellCheck={false} />;
  }
  if (name === "without") {
    const legend = "Only entries without";
    const without = filterLabels["without"]?.values ?? {};
    return <Choice name={name} legend={legend} type="checkbox" options={without} value={values.getAll(name)} />;
  }
  if (questions.some((question) => answerField(question) === name && question.answers === undefined)) {
    return <Field {...field} maxLength={MAX_ANSWER_LENGTH} />;
  }
  if (name === "from" || name === "until") return <Field {...field} type="date" />;
  if (name === "from_time" || name === "until_time") return <Field {...field} type="time" />;
  return <Field {...field} options={{ "": "Any", ...(options ?? optionsOf(name, value, choices)) }} />;
}

function optionsOf(name: string, value: string, { source }: FilterChoices): Record<string, string> {
  if (name === "email") return emailFilterOptions(value);
  if (name !== "source") return filterLabels[name]?.values ?? {};
  const sources = new Set([...source, ...(value === "" ? [] : [value])]);
  return Object.fromEntries(Array.from(sources, (each) => [each, wordFor(sourceNames, each)]));
}
