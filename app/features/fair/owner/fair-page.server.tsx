import { CODE_PERIOD, type Device } from "#app/features/fair/arm.server.ts";
import {
  closeDevice,
  countInbox,
  listDevices,
  MAX_DEVICES,
  makeDevice,
  namesOf,
  readDevice,
  revokeDevice,
} from "#app/features/fair/devices.server.ts";
import { acceptHeld, discardHeld, readHeld } from "#app/features/fair/held.server.ts";
import { deviceView } from "#app/features/fair/owner/device-view.server.tsx";
import { formatClock, stateText } from "#app/features/fair/owner/device-words.server.ts";
import { dayOptions, MAX_EVENT_LENGTH, readTypedDevice } from "#app/features/fair/owner/read-device.server.ts";
import { FAIR_PATH } from "#app/features/fair/protocol.ts";
import { Actions, Button, ButtonLink } from "#app/owner/ui/actions.server.tsx";
import { Table } from "#app/owner/ui/data.server.tsx";
import { badRequest } from "#app/owner/ui/error-pages.server.tsx";
import { Choice, Field, Problem } from "#app/owner/ui/field.server.tsx";
import { counted, formatNumber, formatTime } from "#app/owner/ui/labels.ts";
import { type AttentionItem, type OwnerContext, parseId } from "#app/owner/ui/owner-context.ts";
import { Message, Outcome, Page, Section } from "#app/owner/ui/page.server.tsx";
import { QrPicture } from "#app/owner/ui/qr-picture.server.tsx";
import { site } from "#app/site.ts";

/** Held sign-ups on a page. Opening more would take too much CPU time on the free plan. */
const PAGE_SIZE = 20;

export async function showFair(c: OwnerContext, typed: ReturnType<typeof readTypedDevice> | null = null) {
  const { db, now, timeZone } = c.var.app;
  const [devices, inbox] = await Promise.all([listDevices(db), countInbox(db)]);
  const heldOf = (id: number) => sum(inbox.filter(({ device, state }) => device === id && state === "held"));
  const listed = devices.map((device) => ({ ...device, held: heldOf(device.id) }));
  if (typed !== null) c.status(422);
  return c.render(fairView({ devices: listed, typed, isLaunched: isLaunched(c), now: now(), timeZone }));
}

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
  return c.render(newCodeView({ id: made.id, event, url, until: madeAt + CODE_PERIOD, timeZone }));
}

const TOO_MANY = `There are ${MAX_DEVICES} tablets, which is the limit. Close one first.`;

export async function showDevice(c: OwnerContext) {
  const { db, now, timeZone } = c.var.app;
  const device = await readDevice(db, idOf(c));
  if (device === null) return c.notFound();
  const page = Math.max(1, parseId(c.req.query("page")) ?? 1);
  const seenAt = now();
  const [inbox, { held, hasMore }] = await Promise.all([
    countInbox(db),
    readHeld(db, device, { page, size: PAGE_SIZE }),
  ]);
  const own = inbox.filter((row) => row.device === device.id);
  const heldBy = own.flatMap(({ reason, people }) => (reason === null ? [] : [{ reason, people }]));
  const due = sum(own.filter(({ state }) => state !== "held"));
  const list = { held, page, hasMore, heldBy, due };
  return c.render(deviceView({ device, ...list, isLaunched: isLaunched(c), now: seenAt, timeZone }));
}

export async function changeDevice(c: OwnerContext) {
  const { db, now } = c.var.app;
  const device = idOf(c);
  switch (c.var.form.get("intent")) {
    case "revoke":
      return done(c, "revoke-fair-device", await revokeDevice(db, device, now()));
    case "close":
      return done(c, "close-fair-device", await closeDevice(db, device, now()));
    case "accept":
    case "discard":
      return decide(c, device);
    default:
      return badRequest(c);
  }
}

async function decide(c: OwnerContext, device: number) {
  const { db, now } = c.var.app;
  const seenAt = parseId(String(c.var.form.get("seen")));
  if (seenAt === undefined) return badRequest(c);
  const isAccepted = c.var.form.get("intent") === "accept";
  if (isAccepted && isLaunched(c)) return done(c, "accept-fair-sign-ups", 0);
  const people = isAccepted
    ? await acceptHeld(db, { device, seenAt }, now())
    : await discardHeld(db, { device, seenAt });
  return done(c, isAccepted ? "accept-fair-sign-ups" : "discard-fair-sign-ups", people);
}

type FairAction = "revoke-fair-device" | "close-fair-device" | "accept-fair-sign-ups" | "discard-fair-sign-ups";

/** Records a change and goes back to the tablet. @param changed how many people, or whether anything changed */
async function done(c: OwnerContext, action: FairAction, changed: number | boolean) {
  const details: Record<string, number> = typeof changed === "number" ? { people: changed } : {};
  if (changed) await c.var.record(action, { deviceId: idOf(c), ...details });
  return c.redirect(`/owner/fair/${idOf(c)}?done=${changed ? action : "unchanged"}`, 303);
}

/** Tablets with sign-ups that wait for the owner's decision. */
export async function fairInNeed(c: OwnerContext): Promise<AttentionItem[]> {
  const { db } = c.var.app;
  const held = (await countInbox(db)).filter(({ state }) => state === "held");
  const people = Map.groupBy(held, ({ device }) => device);
  if (people.size === 0) return [];
  return (await namesOf(db, [...people.keys()])).map(({ id, event }) => ({
    text: `${counted(sum(people.get(id) ?? []), "sign-up waits", "sign-ups wait")} for your decision, from tablet ${id} at “${event}”.`,
    action: { label: "Decide", about: `about tablet ${id}`, href: `/owner/fair/${id}` },
  }));
}

function sum(rows: { people: number }[]): number {
  return rows.reduce((total, { people }) => total + people, 0);
}

function isLaunched(c: OwnerContext): boolean {
  return c.var.app.config.LAUNCH_URL !== undefined;
}

function idOf(c: OwnerContext): number {
  return Number(c.req.param("id"));
}

type ListedDevice = Device & { held: number };

interface FairProps {
  devices: ListedDevice[];
  /** A tablet that was not set up; null without one. */
  typed: ReturnType<typeof readTypedDevice> | null;
  isLaunched: boolean;
  now: number;
  timeZone: string;
}

function fairView(props: FairProps) {
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

interface NewCodeProps {
  id: number;
  event: string;
  /** What the tablet opens, with the code in it. */
  url: string;
  /** Until when the code works (milliseconds since 1970). */
  until: number;
  timeZone: string;
}

function newCodeView({ id, event, url, until, timeZone }: NewCodeProps) {
  return (
    <Page title="Scan this code" section="fair" back={{ href: "/owner/fair", name: "Back to the tablets" }}>
      <Message kind="success">{`The code for “${event}” is ready. It sets up tablet ${id}.`}</Message>
      <div className="columns fair-code">
        <QrPicture url={url} label="QR code that sets up the tablet" />
        <div>
          <ol>
            <li>Scan the code with the tablet’s camera while the tablet is online.</li>
            <li>Open the link in the tablet’s browser. The form appears.</li>
            <li>From then on, the form also works offline.</li>
          </ol>
          <p>{`The code works for one tablet, until ${formatClock(until, timeZone)}. Only this page shows it.`}</p>
          <Section id="link" title="Without a camera">
            <p>Open this link on the tablet. The first device that opens it is the one set up, so do not share it.</p>
            <code className="code-block">{url}</code>
          </Section>
          <Actions>
            <ButtonLink label="The tablet is set up" href="/owner/fair" />
          </Actions>
        </div>
      </div>
    </Page>
  );
}
