/** The sentence beside a field whose value is refused. */
export function FieldProblem({ id, children }: { id: string; children: string | null | undefined }) {
  if (children === undefined || children === null) return null;
  return (
    <p className="field-problem" id={id} role="alert">
      {children}
    </p>
  );
}
