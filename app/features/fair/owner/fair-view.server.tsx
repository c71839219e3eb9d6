import type { Device } from "#app/features/fair/arm.server.ts";
import { MAX_DEVICES } from "#app/features/fair/devices.server.ts";
import { stateText } from "#app/features/fair/owner/device-words.server.ts";
import { dayOptions, MAX_EVENT_LENGTH, type readTypedDevice } from "#app/features/fair/owner/read-device.server.ts";
import { Button } from "#app/owner/ui/actions.server.tsx";
import { Table } from "#app/owner/ui/data.server.tsx";
import { Choice, Field, Problem } from "#app/owner/ui/field.server.tsx";
import { formatNumber, formatTime } from "#app/owner/ui/labels.ts";
import { Outcome, Page, Section } from "#app/owner/ui/page.server.tsx";
import { site } from "#app/site.ts";

export type ListedDevice = Device & { held: number };

interface FairProps {
  devices: ListedDevice[];
  /** A tablet that was not set up; null without one. */
  typed: ReturnType<typeof readTypedDevice> | null;
  isLaunched: boolean;
  now: number;
  timeZone: string;
}

/** The tablets at fairs, and a form that sets one up. */
export function fairView(props: FairProps) {
  const { devices } = props;
  const [kept, closed] = [devices.filter(isKept), devices.filter((device) => !isKept(device))];
  return (
    <Page title="At the fair" section="fair">
      <Outcome />
      <p className="lead">
        Let people at your stall join on a tablet. It works offline, and sends the sign-ups when it is back online.
      </p>
      <Section id="tablets" title="Tablets">
        {kept.length === 0 ? <p className="none">No tablets yet.</p> : null}
        <Tablets {...props} devices={kept} />
      </Section>
      <Section id="new" title="Set up a tablet">
        <NewTablet {...props} isFull={kept.length >= MAX_DEVICES} />
      </Section>
      {closed.length === 0 ? null : (
        <Section id="closed" title="Closed tablets">
          <ClosedTablets {...props} devices={closed} />
        </Section>
      )}
    </Page>
  );
}

const isKept = ({ closed_at }: Device) => closed_at === null;

function Tablets({ devices, now, timeZone }: FairProps) {
  return (
    <Table
      className="cards fair-tablets"
      labelledBy="tablets"
      columns={[
        { name: "Event", kind: "words", cell: EventName },
        { name: "State", cell: (device) => stateText(device, now, timeZone) },
        { name: "Last seen", cell: ({ last_seen_at: at }) => (at === null ? "Never" : formatTime(at, timeZone)) },
        { name: "Sent", kind: "number", cell: ({ received }) => formatNumber(received) },
        { name: "Still on it", kind: "number", cell: ({ waiting }) => formatNumber(waiting) },
        { name: "To decide", kind: "number", cell: Held },
      ]}
      rows={devices}
      rowKey={({ id }) => id}
    />
  );
}

function EventName({ id, event }: Device) {
  return (
    <a href={`/owner/fair/${id}`}>
      {event}
      <small>{`Tablet ${id}`}</small>
    </a>
  );
}

function Held({ held }: ListedDevice) {
  return held === 0 ? "0" : <strong>{formatNumber(held)}</strong>;
}

function NewTablet({ typed, isLaunched, isFull }: FairProps & { isFull: boolean }) {
  if (isLaunched) return <p>{`${site.name} has launched, so no one can join the waitlist any more.`}</p>;
  if (isFull && typed === null) {
    return <p>{`There are ${MAX_DEVICES} tablets, which is the limit. Close one to set up another.`}</p>;
  }
  return (
    <form className="form" method="post" action="/owner/fair">
      <Field
        name="event"
        label="Name of the event"
        hint="For example, Spring Fair. People see it on the tablet and in their email. It is also their source."
        maxLength={MAX_EVENT_LENGTH}
        required
        value={typed?.event}
        problem={typed?.problems.event}
      />
      <div>
        <Choice name="days" legend="How long it can be used" options={dayOptions} value={typed?.days ?? "1"} />
        <Problem id="days-problem">{typed?.problems.days}</Problem>
      </div>
      <p className="hint">Each tablet or phone needs its own code. Only the next page shows it.</p>
      <Button label="Make the code" />
    </form>
  );
}

function ClosedTablets({ devices, timeZone }: FairProps) {
  return (
    <Table
      className="cards"
      labelledBy="closed"
      columns={[
        { name: "Event", kind: "words", cell: EventName },
        { name: "Closed", cell: ({ closed_at: at }) => (at === null ? "" : formatTime(at, timeZone)) },
        { name: "Sent", kind: "number", cell: ({ received }) => formatNumber(received) },
      ]}
      rows={devices}
      rowKey={({ id }) => id}
    />
  );
}
