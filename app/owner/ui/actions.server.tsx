import type { ReactNode } from "react";

export function Actions({ children }: { children: ReactNode }) {
  return <div className="actions">{children}</div>;
}

type Kind = "main" | "quiet" | "danger";

interface ButtonProps {
  label: string;
  kind?: Kind;
  value?: string;
  name?: string;
  disabled?: boolean;
  describedBy?: string | undefined;
}

export function Button({ label, kind = "main", value, name = "intent", disabled, describedBy }: ButtonProps) {
  return (
    <button
      className={classOf(kind)}
      name={value === undefined ? undefined : name}
      value={value}
      type="submit"
      disabled={disabled}
      aria-describedby={describedBy}
    >
      {label}
    </button>
  );
}

export function ButtonLink({
  label,
  kind = "main",
  ...link
}: {
  label: ReactNode;
  kind?: Kind;
  href: string;
  download?: string;
}) {
  return (
    <a className={classOf(kind)} {...link}>
      {label}
    </a>
  );
}

function classOf(kind: Kind): string {
  return kind === "main" ? "button" : `button button-${kind}`;
}

interface ButtonFormProps extends ButtonProps {
  /** Default: the URL of the page. */
  action?: string;
  className?: string;
  text?: ReactNode;
  /** Values by name; in pairs where a name comes twice. */
  hidden?: Record<string, string> | [name: string, value: string][];
}

export function ButtonForm({ action, className, text, hidden = {}, ...button }: ButtonFormProps) {
  return (
    <form className={className} method="post" action={action}>
      {(Array.isArray(hidden) ? hidden : Object.entries(hidden)).map(([name, value]) => (
        <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
      ))}
      {text === undefined ? null : <p>{text}</p>}
      <Button kind="quiet" {...button} />
    </form>
  );
}

/** Asks before it acts: the button is inside a closed `<details>`, which needs no script. */
export function Confirm({ question, kind = "danger", ...form }: ButtonFormProps & { question: string }) {
  return (
    <details className={`confirm confirm-${kind}`}>
      <summary className="button button-quiet">{question}</summary>
      <ButtonForm kind={kind} {...form} />
    </details>
  );
}
