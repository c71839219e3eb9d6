import type { LetterStats } from "#app/features/letters/send/letter-stats.server.ts";
import { ButtonForm } from "#app/owner/ui/actions.server.tsx";
import { Table, Tile } from "#app/owner/ui/data.server.tsx";
import { formatDay, formatNumber, formatRate } from "#app/owner/ui/labels.ts";
import { Section } from "#app/owner/ui/page.server.tsx";
import { recipientReasons, recipientStates } from "#app/server/db/recipient-reasons.ts";

export function LetterResults({ id, stats }: { id: number; stats: LetterStats }) {
  const rated = (name: string, value: number) => (
    <Tile name={name} value={value}>
      {stats.sent === 0 ? null : formatRate(value, stats.sent)}
    </Tile>
  );
  return (
    <Section id="stats" title="Results">
      <dl className="tiles">
        <Tile name="Sent" value={stats.sent} main />
        <Tile name="Waiting" value={stats.pending} />
        <Tile name="Skipped" value={stats.skipped} />
        <Tile name="Failed" value={stats.failed} />
        {stats.unknown > 0 ? <Tile name="Unknown" value={stats.unknown} /> : null}
      </dl>
      <Reasons reasons={stats.reasons} />
      <h3>Of those sent it</h3>
      <dl className="tiles">
        {rated("Permanent bounces", stats.bounced)}
        {rated("Temporary bounces", stats.bouncedSoftly)}
        {rated("Reported it as spam", stats.complained)}
        {rated("Unsubscribed", stats.unsubscribed)}
      </dl>
      <Days days={stats.days} />
      <ButtonForm label="Download the recipients (CSV)" action={`/owner/letters/${id}/recipients.csv`} />
    </Section>
  );
}

export function Reasons({ reasons }: Pick<LetterStats, "reasons">) {
  return (
    <Table
      className="narrow"
      caption="Why people were not sent it, or may not have been"
      columns={[
        { name: "Reason", cell: ({ state, reason }) => `${recipientStates[state]}: ${recipientReasons[reason]}` },
        { name: "People", kind: "number", cell: ({ people }) => formatNumber(people) },
      ]}
      rows={reasons}
      rowKey={({ state, reason }) => `${state} ${reason}`}
    />
  );
}

function Days({ days }: Pick<LetterStats, "days">) {
  return (
    <Table
      className="narrow cards letter-days"
      caption="By day"
      columns={[
        { name: "Day", cell: ({ date }) => formatDay(date) },
        { name: "Sent", kind: "number", cell: ({ sent }) => formatNumber(sent) },
        { name: "Permanent bounces", kind: "number", cell: ({ bounced }) => formatNumber(bounced) },
        { name: "Temporary bounces", kind: "number", cell: ({ bouncedSoftly }) => formatNumber(bouncedSoftly) },
        { name: "Spam", kind: "number", cell: ({ complained }) => formatNumber(complained) },
        { name: "Left", kind: "number", cell: ({ unsubscribed }) => formatNumber(unsubscribed) },
      ]}
      rows={days}
      rowKey={({ date }) => date}
    />
  );
}
