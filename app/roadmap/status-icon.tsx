import type { MilestoneStatus } from "#app/roadmap/milestones.ts";

/** A tick, a half-filled ring or an open ring. Decorative: the status stands beside it in words. */
export function StatusIcon({ status }: { status: MilestoneStatus }) {
  return (
    <svg className="status-icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">
      <circle cx="12" cy="12" r="10" fill="none" stroke="currentColor" strokeWidth="2" />
      {marks[status]}
    </svg>
  );
}

const marks = {
  completed: <path d="m7 12.5 3.5 3.5L17 9" fill="none" stroke="currentColor" strokeWidth="2.5" />,
  inProgress: <path d="M12 2a10 10 0 0 1 0 20z" fill="currentColor" />,
  upcoming: null,
};
