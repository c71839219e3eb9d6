import { type Milestone, milestones, statusText } from "#app/features/roadmap/milestones.ts";
import { StatusIcon } from "#app/features/roadmap/status-icon.tsx";

/** The launch, which is the last milestone, is complete once it is there. */
export function Timeline({ isLaunched }: { isLaunched: boolean }) {
  return (
    <ol className="bare-list timeline">
      {milestones.map((milestone) => (
        <TimelineItem
          key={milestone.date}
          {...milestone}
          status={isLaunched && milestone === milestones.at(-1) ? "completed" : milestone.status}
        />
      ))}
    </ol>
  );
}

function TimelineItem({ date, title, description, status }: Milestone) {
  return (
    <li className="timeline-item" data-status={status}>
      <StatusIcon status={status} />
      <article className="timeline-card">
        <p className="timeline-facts">
          <strong>{date}</strong>
          <span className="timeline-status">{statusText[status]}</span>
        </p>
        <h2 className="timeline-title">{title}</h2>
        <p>{description}</p>
      </article>
    </li>
  );
}
