import type { ReactElement } from "react";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import {
  type MilestoneStatus,
  type RoadmapMilestone,
  roadmapMilestones,
  statusText,
} from "#app/features/roadmap/milestones.ts";
import { roadmapPage } from "#app/features/roadmap/page.ts";
import { hasCollectedPage } from "#app/layout/newest-page.server.ts";
import { PageMeta } from "#app/layout/seo/page-meta.tsx";
import { siteSettings } from "#app/server/config/settings.server.ts";
import { appContext } from "#app/server/context.ts";
import { readForPage } from "#app/server/http/read-for-page.server.ts";
import { britishDate } from "#app/server/time/british-date.ts";
import { letters } from "#app/switches.ts";
import { Picture } from "#app/ui/illustrations/picture.tsx";
import { PageLink } from "#app/ui/page-link.tsx";
import { useRootData } from "#app/ui/root-data.ts";

export const handle = { page: roadmapPage };

/** The server provides today's date: a browser in another time zone could differ, which would break hydration. */
export async function loader({ context }: LoaderFunctionArgs) {
  const app = context.get(appContext);
  const hasLetters = await readForPage(app, "has-letters", () => hasCollectedPage(app));
  const launchSentence = app.launchUrl === undefined ? siteSettings().launchSentence : null;
  return {
    today: britishDate(app.now()),
    hasLetters: hasLetters === true,
    ...(launchSentence === null ? {} : { launchSentence }),
  };
}

export default function Roadmap() {
  const { today, hasLetters, launchSentence } = useLoaderData<typeof loader>();
  const launch = useRootData()?.launch;
  return (
    <main id="main" className="prose page">
      <PageMeta page={roadmapPage} />
      <header>
        <h1>Roadmap</h1>
        <p className="lead">
          {"What’s done, what we’re working on and what comes next. "}
          <span>{launch === undefined ? launchSentence : launch.lead}</span>
        </p>
        <p className="muted">
          Last updated <time dateTime={today.iso}>{today.text}</time>
        </p>
      </header>
      <ol className="bare-list timeline">
        {roadmapMilestones.map((milestone) => {
          // The launch, which is the last milestone, is complete once it is there.
          const isComplete = launch !== undefined && milestone === roadmapMilestones.at(-1);
          const status = isComplete ? "completed" : milestone.status;
          return <TimelineItem key={milestone.date} {...milestone} status={status} />;
        })}
      </ol>
      {letters && hasLetters ? (
        <p>
          Read the <PageLink to="/letters">letters</PageLink> we’ve sent to our waitlist.
        </p>
      ) : null}
    </main>
  );
}

function TimelineItem({ date, title, description, status }: RoadmapMilestone) {
  return (
    <li className="timeline-item" data-status={status}>
      {/* The three icons differ in shape as well as colour. Decorative: the status must also be shown as text. */}
      <Picture className={`status-icon status-${status}`} viewBox="0 0 48 48">
        {drawings[status]}
      </Picture>
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

const drawings = {
  /** A rosette. */
  completed: (
    <>
      <path className="clay" d="m16 30-5 15 6-2 4 4 5-14zM32 30l5 15-6-2-4 4-5-14z" />
      <path className="green" d="M24 2l6 4 7 0 2 7 5 5-3 7 0 7-7 2-5 5-5-3-5 3-5-5-7-2 0-7-3-7 5-5 2-7 7 0z" />
      <path className="pen status-tick" d="m16 21 6 6 11-12" />
    </>
  ),
  /** A stall with half its awning up. */
  inProgress: (
    <>
      <path className="pole" d="M10 12v33M38 22v23" />
      <path fill="var(--cloth)" d="m8 6 32 12-2 12q-6 3-9-3-6 3-9-4-6 3-8-3-5 2-8-4z" />
      <path className="gold" d="m8 6 10 4-2 11q-5 1-4-1-5 2-8-4zM28 13l12 5-2 12q-6 3-9-3z" />
      <path className="pen" d="m8 6 32 12-2 12M8 6 4 16M4 45h40" />
    </>
  ),
  /** A pennant on a marked-out pitch. */
  upcoming: (
    <>
      <path className="pen" d="M6 36q18-6 36 0-4 9-18 9T6 36z" strokeDasharray="5 4.5" />
      <path className="pole" d="M20 6v34" />
      <path className="clay" d="M21 5q10 6 20 5-7 4-6 11-7-4-14-1z" />
    </>
  ),
} satisfies Record<MilestoneStatus, ReactElement>;
