import type { ComponentProps } from "react";
import type { SiteState } from "#app/features/overview/attention.server.ts";
import { Attention } from "#app/features/overview/attention-view.server.tsx";
import { Blocked } from "#app/features/overview/blocked.server.tsx";
import { Timeline } from "#app/features/overview/charts/timeline.server.tsx";
import { EmailState } from "#app/features/overview/emails.server.tsx";
import { showsFirstSteps } from "#app/features/overview/first-steps.server.ts";
import { FirstStepsList } from "#app/features/overview/first-steps-view.server.tsx";
import { Origins } from "#app/features/overview/origins.server.tsx";
import { PeriodTiles } from "#app/features/overview/period.server.tsx";
import { PERIODS } from "#app/features/overview/stats.server.ts";
import { Total } from "#app/features/overview/total.server.tsx";
import { ButtonForm } from "#app/owner/ui/actions.server.tsx";
import { counted, formatTime } from "#app/owner/ui/labels.ts";
import { Pills } from "#app/owner/ui/navigation.server.tsx";
import type { AttentionItem } from "#app/owner/ui/owner-context.ts";
import { Message, Page, Section } from "#app/owner/ui/page.server.tsx";

interface OverviewProps extends SiteState {
  /** What needs the owner's attention. */
  attention: AttentionItem[];
  days: (typeof PERIODS)[number];
  /** The number of failed emails that were just requeued. */
  requeued: number | null;
  firstSteps: ComponentProps<typeof FirstStepsList>;
}

export function overviewView(props: OverviewProps) {
  const { stats, days, timeZone, firstSteps, requeued } = props;
  const dates = { from: stats.days[0]?.date ?? "", until: stats.days.at(-1)?.date ?? "" };
  // Stats are stored; this says how old they are, and computes them now.
  const age = (
    <ButtonForm
      className="row stats-age"
      action={`/owner/stats?days=${days}`}
      text={`As of ${formatTime(props.computedAt, timeZone)}`}
      label="Update now"
    />
  );
  return (
    <Page title="Overview" section="overview" aside={age}>
      {requeued === null ? null : (
        <Message kind="success">
          {`${counted(requeued, "email is", "emails are")} queued again and will be sent within a minute.`}
        </Message>
      )}
      <Attention items={props.attention} />
      {showsFirstSteps(firstSteps.steps, stats.entries.joined) ? <FirstStepsList {...firstSteps} /> : null}
      <div className="overview-top">
        <Total entries={stats.entries} />
        <Section id="period" className="period" title={`The last ${days} days`}>
          <Pills
            label="Period"
            links={PERIODS.map((period) => ({
              text: `${period} days`,
              href: `/owner?days=${period}`,
              isCurrent: period === days,
            }))}
          />
          <PeriodTiles stats={stats} days={days} dates={dates} />
        </Section>
      </div>
      <Timeline stats={stats} timeZone={timeZone} />
      <Origins stats={stats} dates={dates} />
      <EmailState {...props} />
      <Blocked stats={stats} days={days} />
    </Page>
  );
}
