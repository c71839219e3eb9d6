import type { ReactNode } from "react";
import { ChoiceField, Field, FieldProblem, type FieldProps } from "#app/owner/ui/field.server.tsx";
import type { Filter } from "#app/waitlist/filter/filters.server.ts";

/** What entries have, by filter: to choose from, or to suggest. */
export type FilterChoices = Record<string, string[]>;

interface FilterFieldsProps {
  filters: Filter[];
  values: URLSearchParams;
  choices: FilterChoices;
  problems?: Record<string, string>;
  /** Of selects. */
  options?: Record<string, NonNullable<FieldProps["options"]>>;
  children?: ReactNode;
}

/** Filters of the list: answers to tick first, then fields in columns, then what entries can lack. */
export function FilterFields({ filters, values, choices, problems = {}, options = {}, children }: FilterFieldsProps) {
  const ticks = filters.filter(({ isList }) => isList);
  const ticksFor = ({ name, label, values: choices = {} }: Filter) => (
    <div key={name} className="ticks">
      <ChoiceField
        name={name}
        legend={name === "without" ? "Only entries without" : label}
        type="checkbox"
        options={choices}
        value={values.getAll(name)}
      />
      <FieldProblem id={`${name}-problem`}>{problems[name]}</FieldProblem>
    </div>
  );
  return (
    <>
      {ticks.filter(({ name }) => name !== "without").map(ticksFor)}
      <div className="fields">
        {filters
          .filter(({ isList }) => !isList)
          .map(({ name, label, input, values: texts = {}, options: optionsFor }) => {
            const field = { name, label, value: values.get(name) ?? "", problem: problems[name] };
            const found = choices[name] ?? [];
            if (input !== undefined) return <Field key={name} {...field} {...input} suggestions={found} />;
            const offered = options[name] ?? optionsFor?.(field.value, found) ?? texts;
            const pairs = Array.isArray(offered) ? offered : Object.entries(offered);
            return <Field key={name} {...field} options={[["", "Any"], ...pairs]} />;
          })}
        {children}
      </div>
      {ticks.filter(({ name }) => name === "without").map(ticksFor)}
    </>
  );
}
