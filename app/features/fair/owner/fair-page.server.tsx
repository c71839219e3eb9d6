import {
  CODE_PERIOD,
  countInbox,
  type DeviceRow,
  listDevices,
  MAX_DEVICES,
  makeDevice,
  stateOf,
} from "#app/features/fair/devices.server.ts";
import { FAIR_PATH } from "#app/features/fair/protocol.ts";
import { Actions, Button, ButtonLink } from "#app/owner/ui/actions.server.tsx";
import { Table } from "#app/owner/ui/data.server.tsx";
import { ChoiceField, Field, FieldProblem } from "#app/owner/ui/field.server.tsx";
import { formatNumber, formatTime } from "#app/owner/ui/labels.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { Message, Outcome, Page, Section } from "#app/owner/ui/page.server.tsx";
import { QrPicture } from "#app/owner/ui/qr-picture.server.tsx";
import { fieldText } from "#app/server/http/read-form.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import { site } from "#app/site.ts";

/** @param typed a tablet that was not set up; null without one */
export async function showFair(c: OwnerContext, typed: TypedDevice | null = null) {
  if (typed !== null) c.status(422);
  return c.render(fairView(await readFairPage(c, typed)));
}

async function readFairPage(c: OwnerContext, typed: TypedDevice | null) {
  const { db, now, timeZone } = c.var.app;
  const [devices, inbox] = await Promise.all([listDevices(db), countInbox(db)]);
  const toReview = (id: number) => sumPeople(inbox.filter(({ device, state }) => device === id && state === "held"));
  const listed = devices.map((device) => ({ ...device, toReview: toReview(device.id) }));
  return { devices: listed, typed, isLaunched: isLaunched(c), now: now(), timeZone };
}

type FairProps = Awaited<ReturnType<typeof readFairPage>>;

/** Shows the code in the response itself: it is stored nowhere, and in no URL of this site's pages. */
export async function addDevice(c: OwnerContext) {
  const { db, now, timeZone, config } = c.var.app;
  const typed = readTypedDevice(c.var.form);
  if (isLaunched(c) || Object.keys(typed.problems).length > 0) return showFair(c, typed);
  const { event, days } = typed;
  const madeAt = now();
  const made = await makeDevice(db, { event, days: Number(days) }, madeAt);
  if (made === null) return showFair(c, { ...typed, problems: { event: TOO_MANY } });
  await c.var.record("make-fair-device", { deviceId: made.id, event, days: Number(days) });
  const url = `${config.SITE_URL}${FAIR_PATH}#${made.code}`;
  return c.render(
    <Page title="Scan this code" section="fair" back={{ href: "/owner/fair", name: "Back to the tablets" }}>
      <Message kind="success">{`The code for “${event}” is ready. It sets up tablet ${made.id}.`}</Message>
      <div className="columns fair-code">
        <QrPicture url={url} label="QR code that sets up the tablet" />
        <div>
          <ol>
            <li>Scan the code with the tablet’s camera while the tablet is online.</li>
            <li>Open the link in the tablet’s browser. The form appears.</li>
            <li>From then on, the form also works offline.</li>
          </ol>
          <p>{`The code works for one tablet, until ${formatClock(madeAt + CODE_PERIOD, timeZone)}. Only this page shows it.`}</p>
          <Section id="link" title="Without a camera">
            <p>Open this link on the tablet. The first device that opens it is the one set up, so do not share it.</p>
            <code className="code-block">{url}</code>
          </Section>
          <Actions>
            <ButtonLink label="The tablet is set up" href="/owner/fair" />
          </Actions>
        </div>
      </div>
    </Page>,
  );
}

const TOO_MANY = `There are ${MAX_DEVICES} tablets, which is the limit. Close one first.`;

/** Characters. */
const MAX_EVENT_LENGTH = 60;

const dayOptions: Record<string, string> = { 1: "1 day", 2: "2 days", 3: "3 days" };

type TypedDevice = ReturnType<typeof readTypedDevice>;

function readTypedDevice(form: FormData) {
  const [event, days] = ["event", "days"].map((name) =>
    fieldText(form, name)
      .replace(/[\p{Cc}\s]+/gu, " ")
      .trim()
      .toWellFormed(),
  ) as [string, string];
  const problems: { event?: string; days?: string } = {};
  if (event === "") problems.event = "Enter the name of the event.";
  else if (event.length > MAX_EVENT_LENGTH) problems.event = `Use at most ${MAX_EVENT_LENGTH} characters.`;
  // The log shows names, and holds no addresses.
  else if (event.includes("@")) problems.event = "Leave out email addresses: the log shows this name.";
  if (!Object.hasOwn(dayOptions, days)) problems.days = "Choose how long it can be used.";
  return { event, days, problems };
}

export function sumPeople(rows: { people: number }[]): number {
  return rows.reduce((total, { people }) => total + people, 0);
}

export function isLaunched(c: OwnerContext): boolean {
  return c.var.app.config.LAUNCH_URL !== undefined;
}

function fairView(props: FairProps) {
  const kept = props.devices.filter(({ closed_at }) => closed_at === null);
  const closed = props.devices.filter(({ closed_at }) => closed_at !== null);
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
        {
          name: "To decide",
          kind: "number",
          cell: ({ toReview }) => (toReview === 0 ? "0" : <strong>{formatNumber(toReview)}</strong>),
        },
      ]}
      rows={devices}
      rowKey={({ id }) => id}
    />
  );
}

function EventName({ id, event }: DeviceRow) {
  return (
    <a href={`/owner/fair/${id}`}>
      {event}
      <small>{`Tablet ${id}`}</small>
    </a>
  );
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
        <ChoiceField name="days" legend="How long it can be used" options={dayOptions} value={typed?.days ?? "1"} />
        <FieldProblem id="days-problem">{typed?.problems.days}</FieldProblem>
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

/** `In use until 28 November, 18:00` */
export function stateText(device: DeviceRow, now: EpochMillis, timeZone: string): string {
  const state = stateOf(device, now);
  if (state !== "open") return { expired: "Expired", revoked: "Revoked", closed: "Closed" }[state];
  if (device.armed_at !== null) return `In use until ${shortTime(device.expires_at, timeZone)}`;
  const codeEnd = device.created_at + CODE_PERIOD;
  if (codeEnd <= now) return "Code not scanned in time";
  return `Code works until ${formatClock(codeEnd, timeZone)}`;
}

/** `28 November, 18:00` */
function shortTime(time: EpochMillis, timeZone: string): string {
  const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", timeZone }).format(time);
  return `${day}, ${formatClock(time, timeZone)}`;
}

/** `15:04` */
function formatClock(time: EpochMillis, timeZone: string): string {
  return new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone }).format(time);
}
