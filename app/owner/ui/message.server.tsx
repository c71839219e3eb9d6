import { createContext, type ReactNode, useContext } from "react";
import { outcomes } from "#app/owner/ui/outcomes.ts";

interface MessageProps {
  kind?: "info" | "success" | "error";
  role?: "alert" | undefined;
  children: ReactNode;
}

/** A box with a sentence; nothing without one. */
export function Message({ kind = "info", role, children }: MessageProps) {
  if (children === null || children === undefined) return null;
  return (
    <div className={`message message-${kind}`} role={kind === "success" ? "status" : role}>
      {children}
    </div>
  );
}

/** The `done` parameter of the URL: the outcome of the change that led here. */
export const Done = createContext<string | undefined>(undefined);

/** The outcome of the change that led here, in a sentence. */
export function Outcome() {
  const done = useContext(Done);
  return (
    <Message kind="success">{done !== undefined && Object.hasOwn(outcomes, done) ? outcomes[done] : null}</Message>
  );
}

/** What is wrong with a URL or a form, in sentences; nothing if all is well. */
export function Problems({ problems }: { problems: string[] }) {
  if (problems.length === 0) return null;
  return (
    <Message kind="error" role="alert">
      {problems.map((problem) => (
        <p key={problem}>{problem}</p>
      ))}
    </Message>
  );
}
