import { type Milestone, milestones, statusText } from "#app/pages/roadmap/milestones.ts";
import { StatusIcon } from "#app/pages/roadmap/status-icon.tsx";

/** The milestones: one column on phones, alternating sides on wider screens. */
export function Timeline() {
  return (
    <ol className="timeline">
      {milestones.map((milestone) => (
        <TimelineItem key={milestone.date} {...milestone} />
      ))}
    </ol>
  );
}

function TimelineItem({ date, title, description, status }: Milestone) {
  return (
    <li className="timeline-item" data-status={status}>
      <span className="timeline-mark">
        <StatusIcon status={status} />
      </span>
      <article className="timeline-card">
        <p className="timeline-facts">
          <span className="timeline-date">{date}</span>
          <span className="timeline-status">{statusText[status]}</span>
        </p>
        <h2 className="timeline-title">{title}</h2>
        <p className="timeline-text">{description}</p>
      </article>
    </li>
  );
}
