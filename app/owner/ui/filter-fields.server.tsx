import { FieldProblem } from "#app/owner/ui/field-problem.server.tsx";
import { filterLabels } from "#app/owner/ui/filter-labels.ts";

interface FieldProps {
  /** The name of a filter, which has its label in `filterLabels`. */
  name: string;
  value: string;
  /** Why the value is refused. */
  problem?: string | undefined;
}

interface SelectFieldProps extends FieldProps {
  label: string;
  options: Record<string, string>;
}

export function SelectField({ name, label, value, options, problem }: SelectFieldProps) {
  return (
    <div>
      <label htmlFor={name}>{label}</label>
      <select id={name} name={name} defaultValue={value} {...invalid(name, problem)}>
        {Object.entries(options).map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
      <FieldProblem id={`${name}-problem`}>{problem}</FieldProblem>
    </div>
  );
}

export function TextField({ name, value, suggestions, problem }: FieldProps & { suggestions: string[] }) {
  return (
    <div>
      <label htmlFor={name}>{filterLabels[name]?.label}</label>
      <input
        id={name}
        name={name}
        type="text"
        defaultValue={value}
        list={`${name}-values`}
        maxLength={400}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...invalid(name, problem)}
      />
      <datalist id={`${name}-values`}>
        {suggestions.map((suggestion) => (
          <option key={suggestion} value={suggestion} />
        ))}
      </datalist>
      <FieldProblem id={`${name}-problem`}>{problem}</FieldProblem>
    </div>
  );
}

export function DateField({ name, value, problem }: FieldProps) {
  return (
    <div>
      <label htmlFor={name}>{filterLabels[name]?.label}</label>
      <input id={name} name={name} type="date" defaultValue={value} {...invalid(name, problem)} />
      <FieldProblem id={`${name}-problem`}>{problem}</FieldProblem>
    </div>
  );
}

/** Attributes of a field whose value is refused. */
export function invalid(name: string, problem: string | null | undefined) {
  return problem === undefined || problem === null
    ? {}
    : { "aria-invalid": true as const, "aria-describedby": `${name}-problem` };
}
