import type { Delivery, Endpoint } from "#app/features/webhooks/endpoints.server.ts";
import { reasonText } from "#app/features/webhooks/reason-text.ts";
import { ButtonForm } from "#app/owner/ui/actions.server.tsx";
import { Table } from "#app/owner/ui/data.server.tsx";
import { formatTime } from "#app/owner/ui/labels.ts";
import { Paging } from "#app/owner/ui/navigation.server.tsx";
import { Section } from "#app/owner/ui/page.server.tsx";

interface WaitingProps {
  endpoint: Pick<Endpoint, "is_on" | "paused_until">;
  waiting: Delivery[];
  /** Milliseconds since 1970. */
  now: number;
  timeZone: string;
}

export function WaitingEvents({ endpoint: { is_on, paused_until }, waiting, now, timeZone }: WaitingProps) {
  if (waiting.length === 0) return null;
  const nextAttempt = ({ next_attempt_at }: Delivery) => {
    if (!is_on) return "Once the endpoint is on";
    const at = Math.max(next_attempt_at, paused_until);
    return at <= now ? "Within two minutes" : formatTime(at, timeZone);
  };
  return (
    <Section id="waiting" title="Waiting events">
      <Table
        className="cards"
        labelledBy="waiting"
        columns={[
          { name: "Event", cell: (delivery) => <EventName {...delivery} /> },
          { name: "Happened", cell: ({ created_at }) => formatTime(created_at, timeZone) },
          { name: "Last attempt", kind: "words", cell: (delivery) => reasonText(delivery) },
          { name: "Next attempt", cell: nextAttempt },
          { name: "Attempts", kind: "number", cell: ({ attempts }) => attempts },
        ]}
        rows={waiting}
        rowKey={({ id }) => id}
      />
    </Section>
  );
}

export interface FailedProps {
  endpoint: { id: number };
  /** Deliveries, those that failed last first. */
  failed: Delivery[];
  hasOlder: boolean;
  /** Whether these are the first ones. */
  isFirst: boolean;
  timeZone: string;
}

export function FailedEvents({ endpoint, failed, hasOlder, isFirst, timeZone }: FailedProps) {
  if (failed.length === 0 && isFirst) return null;
  const path = `/owner/webhooks/${endpoint.id}`;
  const last = failed.at(-1);
  return (
    <Section id="failed" title="Failed events">
      <Table
        className="cards"
        labelledBy="failed"
        columns={[
          { name: "Event", cell: (delivery) => <EventName {...delivery} /> },
          { name: "Happened", cell: ({ created_at }) => formatTime(created_at, timeZone) },
          { name: "Why", kind: "words", cell: (delivery) => reasonText(delivery) },
          {
            name: "Action",
            cell: ({ id }) => (
              <ButtonForm
                action={path}
                hidden={{ delivery: String(id) }}
                value="again"
                label="Send again"
                describedBy={`event-${id}`}
              />
            ),
          },
        ]}
        rows={failed}
        rowKey={({ id }) => id}
      />
      <Paging
        label="Failed events"
        links={{
          Newest: isFirst ? null : path,
          Older: hasOlder && last && `${path}?before=${last.dead_at}-${last.id}`,
        }}
      />
    </Section>
  );
}

function EventName({ id, data: { event, entry_id, letter_id } }: Delivery) {
  return (
    <>
      <span id={`event-${id}`}>{event}</span>
      {entry_id == null ? null : (
        <small>
          <a href={`/owner/entries/${entry_id}`}>Entry {entry_id}</a>
        </small>
      )}
      {letter_id === undefined ? null : (
        <small>
          <a href={`/owner/letters/${letter_id}`}>Letter {letter_id}</a>
        </small>
      )}
    </>
  );
}
