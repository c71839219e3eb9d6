import type { ComponentProps, ReactNode } from "react";
import { Lines } from "#app/owner/ui/page.server.tsx";
import { emailPattern } from "#app/server/email-address.ts";
import { INVALID_EMAIL } from "#app/waitlist/sign-up/messages.ts";

type InputAttribute =
  | "type"
  | "required"
  | "maxLength"
  | "placeholder"
  | "pattern"
  | "title"
  | "inputMode"
  | "accept"
  | "autoComplete"
  | "autoCapitalize"
  | "autoCorrect"
  | "spellCheck"
  | "readOnly";

export interface FieldProps extends Pick<ComponentProps<"input">, InputAttribute> {
  name: string;
  id?: string;
  label: string;
  hint?: ReactNode;
  value?: string | undefined;
  problem?: ReactNode;
  /** Whether a summary above the form says it too. */
  isInSummary?: boolean;
  /** Of a select: texts by value; in pairs where numbers would be sorted. */
  options?: Record<string, string> | [value: string, text: string][];
  /** Of a text area: its lines. */
  rows?: number;
  suggestions?: string[];
}

/** What an input for an email address has. Not `type="email"`, with which browsers refuse addresses that the server accepts. */
export const addressField = {
  inputMode: "email",
  pattern: emailPattern,
  title: INVALID_EMAIL,
  autoCapitalize: "none",
  autoCorrect: "off",
  spellCheck: false,
} as const satisfies Partial<FieldProps>;

export function Field({
  name,
  id = name,
  label,
  hint,
  value,
  problem,
  isInSummary = false,
  options,
  rows,
  suggestions = [],
  ...attributes
}: FieldProps) {
  const isInvalid = problem !== undefined && problem !== null;
  const notes = [hint === undefined ? "" : `${id}-hint`, isInvalid ? `${id}-problem` : ""].filter(Boolean);
  const control = {
    id,
    name,
    className: "field",
    defaultValue: value,
    "aria-invalid": isInvalid || undefined,
    "aria-describedby": notes.join(" ") || undefined,
  };
  const { type = "text", maxLength, spellCheck, readOnly } = attributes;
  const list = suggestions.length > 0 ? `${id}-values` : undefined;
  return (
    <div className="form-field">
      <label htmlFor={id}>{label}</label>
      {hint === undefined ? null : (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {options !== undefined ? (
        <select {...control}>
          <Options options={options} />
        </select>
      ) : rows !== undefined ? (
        <textarea {...control} rows={rows} {...{ maxLength, spellCheck, readOnly }} />
      ) : (
        <input
          {...control}
          type={type}
          list={list}
          autoComplete={type === "file" ? undefined : "off"}
          {...attributes}
        />
      )}
      {list === undefined ? null : (
        <datalist id={list}>
          {suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      )}
      <FieldProblem id={`${id}-problem`} isInSummary={isInSummary}>
        {problem}
      </FieldProblem>
    </div>
  );
}

interface ProblemProps {
  id: string;
  isInSummary?: boolean;
  children: ReactNode;
}

/** What is wrong with a value, or what went wrong with a button; nothing if all is well. */
export function FieldProblem({ id, isInSummary = false, children }: ProblemProps) {
  if (children === undefined || children === null) return null;
  return (
    <div className="problem" id={id} role={isInSummary ? undefined : "alert"}>
      {typeof children === "string" && children.includes("\n") ? <Lines text={children} /> : children}
    </div>
  );
}

function Options({ options }: { options: NonNullable<FieldProps["options"]> }) {
  return (Array.isArray(options) ? options : Object.entries(options)).map(([value, text]) => (
    <option key={value} value={value}>
      {text}
    </option>
  ));
}

interface ChoiceProps {
  name: string;
  /** The question. Absent in a {@link FieldGroup} that asks it. */
  legend?: string;
  type?: "radio" | "checkbox";
  /** Texts by value. */
  options: Record<string, string>;
  value: string | string[];
}

export function ChoiceField({ name, legend, type = "radio", options, value }: ChoiceProps) {
  const labels = Object.entries(options).map(([option, text]) => (
    <label key={option}>
      <input type={type} name={name} value={option} defaultChecked={[value].flat().includes(option)} />
      {text}
    </label>
  ));
  if (legend === undefined) return <div className="choice">{labels}</div>;
  return (
    <fieldset className="choice">
      <legend>{legend}</legend>
      {labels}
    </fieldset>
  );
}

export function FieldGroup({ legend, hint, children }: { legend: string; hint?: string; children: ReactNode }) {
  return (
    <fieldset className="group">
      <legend>{legend}</legend>
      {hint === undefined ? null : <p className="hint">{hint}</p>}
      {children}
    </fieldset>
  );
}
