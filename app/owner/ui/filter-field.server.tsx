import type { ReactNode } from "react";
import { Choice, Field, Problem } from "#app/owner/ui/field.server.tsx";
import { filterLabels } from "#app/owner/ui/filter-labels.ts";
import { questions } from "#app/site.ts";
import { wordFor } from "#app/ui/word-for.ts";
import { originColumns } from "#app/waitlist/entries/origin-columns.ts";
import { sourceNames } from "#app/waitlist/entries/sources.ts";
import { emailFilterOptions } from "#app/waitlist/filter/email-filter.ts";
import { answerField, MAX_ANSWER_LENGTH } from "#app/waitlist/questions/answers.ts";

export type FilterChoices = Record<"source" | (typeof originColumns)[number], string[]>;

interface FilterFieldsProps {
  names: readonly string[];
  values: URLSearchParams;
  choices: FilterChoices;
  problems?: Record<string, string>;
  /** Of selects: texts by value. */
  options?: Record<string, Record<string, string>>;
  children?: ReactNode;
}

/** Filters of the list: answers to tick first, then fields in columns, then what entries can lack. */
export function FilterFields({ names, values, children, problems = {}, ...of }: FilterFieldsProps) {
  const answers = names.flatMap((name) => choiceQuestions.find((question) => answerField(question) === name) ?? []);
  const fields = names.filter(
    (name) => name !== "without" && answers.every((question) => answerField(question) !== name),
  );
  return (
    <>
      {answers.map((question) => (
        <Ticks
          key={question.key}
          name={answerField(question)}
          legend={question.label}
          values={values}
          problems={problems}
        />
      ))}
      <div className="fields">
        {fields.map((name) => (
          <FilterField key={name} name={name} values={values} problems={problems} {...of} />
        ))}
        {children}
      </div>
      <Ticks name="without" legend="Only entries without" values={values} problems={problems} />
    </>
  );
}

const choiceQuestions = questions.filter(({ answers }) => answers !== undefined);

interface TicksProps extends Pick<FilterFieldsProps, "values" | "problems"> {
  name: string;
  legend: string;
}

function Ticks({ name, legend, values, problems = {} }: TicksProps) {
  return (
    <div className="ticks">
      <Choice
        name={name}
        legend={legend}
        type="checkbox"
        options={filterLabels[name]?.values ?? {}}
        value={values.getAll(name)}
      />
      <Problem id={`${name}-problem`}>{problems[name]}</Problem>
    </div>
  );
}

type FilterFieldProps = Omit<FilterFieldsProps, "names" | "children"> & { name: string };

function FilterField({ name, values, choices, problems, options }: FilterFieldProps) {
  const value = values.get(name) ?? "";
  const field = { name, label: filterLabels[name]?.label ?? name, value, problem: problems?.[name] };
  const origin = originColumns.find((column) => column === name);
  if (origin !== undefined) {
    return <Field {...field} suggestions={choices[origin]} maxLength={400} autoCapitalize="none" spellCheck={false} />;
  }
  if (questions.some((question) => answerField(question) === name && question.answers === undefined)) {
    return <Field {...field} maxLength={MAX_ANSWER_LENGTH} />;
  }
  if (name === "friends") return <Field {...field} inputMode="numeric" placeholder="Any" maxLength={9} />;
  if (name === "from" || name === "until") return <Field {...field} type="date" />;
  if (name === "from_time" || name === "until_time") return <Field {...field} type="time" />;
  return <Field {...field} options={{ "": "Any", ...(options?.[name] ?? optionsOf(name, value, choices)) }} />;
}

function optionsOf(name: string, value: string, { source }: FilterChoices): Record<string, string> {
  if (name === "email") return emailFilterOptions(value);
  if (name !== "source") return filterLabels[name]?.values ?? {};
  const sources = new Set([...source, ...(value === "" ? [] : [value])]);
  return Object.fromEntries(Array.from(sources, (each) => [each, wordFor(sourceNames, each)]));
}
