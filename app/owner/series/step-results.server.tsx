import type { StepStats } from "#app/email/series/series-stats.server.ts";
import { Reasons } from "#app/owner/letters/letter-stats.server.tsx";
import { formatNumber } from "#app/owner/ui/labels.ts";

/** What became of a step: the numbers that every step has, and those of things that happened. */
export function StepResults({ stats, isOn }: { stats: StepStats | undefined; isOn: boolean }) {
  if (stats === undefined) return isOn ? <p className="none series-stats">No one is due yet.</p> : null;
  const always: [name: string, people: number][] = [
    ["Sent", stats.sent],
    ["Unsubscribed", stats.unsubscribed],
    ["Permanent bounces", stats.bounced],
    ["Waiting", stats.pending],
  ];
  const sometimes: [name: string, people: number][] = [
    ["Temporary bounces", stats.bouncedSoftly],
    ["Reported as spam", stats.complained],
    ["Skipped", stats.skipped],
    ["Failed", stats.failed],
    ["Unknown", stats.unknown],
  ];
  return (
    <>
      <dl className="series-stats">
        {[...always, ...sometimes.filter(([, people]) => people > 0)].map(([name, people]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{formatNumber(people)}</dd>
          </div>
        ))}
      </dl>
      {stats.reasons.length === 0 ? null : (
        <details className="data">
          <summary>Show reasons</summary>
          <Reasons reasons={stats.reasons} />
        </details>
      )}
    </>
  );
}
