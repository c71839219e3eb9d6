import { ButtonForm } from "#app/owner/ui/actions.server.tsx";
import { Table } from "#app/owner/ui/data.server.tsx";
import { formatTime } from "#app/owner/ui/labels.ts";
import { Paging } from "#app/owner/ui/navigation.server.tsx";
import { Section } from "#app/owner/ui/page.server.tsx";
import type { Delivery } from "#app/owner/webhooks/deliveries.server.ts";
import { reasonText } from "#app/owner/webhooks/reason-text.ts";

export interface FailedProps {
  endpoint: { id: number };
  /** Deliveries, those that failed last first. */
  failed: Delivery[];
  hasOlder: boolean;
  /** Whether these are the first ones. */
  isFirst: boolean;
  timeZone: string;
}

/** Events that were not accepted in time, each with a button to send it again. Nothing without any. */
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
          { name: "Why", kind: "words", cell: ({ reason }) => reasonText(reason) },
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

function EventName({ id, event, entry_id, data }: Delivery) {
  return (
    <>
      <span id={`event-${id}`}>{event}</span>
      {entry_id === null ? null : (
        <small>
          <a href={`/owner/entries/${entry_id}`}>Entry {entry_id}</a>
        </small>
      )}
      {data?.["letter_id"] === undefined ? null : (
        <small>
          <a href={`/owner/letters/${data["letter_id"]}`}>Letter {data["letter_id"]}</a>
        </small>
      )}
    </>
  );
}
