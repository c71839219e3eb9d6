import {
  closeDevice,
  countInbox,
  type DeviceRow,
  eventNamesOf,
  isOver,
  readDevice,
  revokeDevice,
  stateOf,
} from "#app/features/fair/devices.server.ts";
import { MAX_SIGN_UPS } from "#app/features/fair/inbox.server.ts";
import { isLaunched, stateText, sumPeople } from "#app/features/fair/owner/fair-page.server.tsx";
import {
  acceptSignUps,
  canBeAdded,
  discardSignUps,
  readInReview,
  type SignUpInReview,
} from "#app/features/fair/review.server.ts";
import { Actions, ButtonLink, Confirm } from "#app/owner/ui/actions.server.tsx";
import { Facts, Table } from "#app/owner/ui/data.server.tsx";
import { badRequest } from "#app/owner/ui/error-pages.server.tsx";
import { runIntent } from "#app/owner/ui/intent.server.ts";
import { counted, formatNumber, formatTime } from "#app/owner/ui/labels.ts";
import { Paging } from "#app/owner/ui/navigation.server.tsx";
import { type AttentionItem, type OwnerContext, parseId } from "#app/owner/ui/owner-context.ts";
import { Outcome, Page, Section } from "#app/owner/ui/page.server.tsx";
import type { ReviewReason } from "#app/server/db/schema/fair.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";

/** Sign-ups to decide on a page. Opening more would take too much CPU time on the free plan. */
const PAGE_SIZE = 20;

export async function showDevice(c: OwnerContext) {
  const device = await readDevice(c.var.app.db, idOf(c));
  return device === null ? c.notFound() : c.render(deviceView(await readDevicePage(c, device)));
}

async function readDevicePage(c: OwnerContext, device: DeviceRow) {
  const { db, now, timeZone } = c.var.app;
  const page = Math.max(1, parseId(c.req.query("page")) ?? 1);
  const seenAt = now();
  const [inbox, list] = await Promise.all([countInbox(db), readInReview(db, device, { page, size: PAGE_SIZE })]);
  const own = inbox.filter((row) => row.device === device.id);
  const reasons = own.flatMap(({ reason, people }) => (reason === null ? [] : [{ reason, people }]));
  const people = sumPeople(reasons);
  /** How many are about to be added. */
  const due = sumPeople(own.filter(({ state }) => state !== "held"));
  return { device, ...list, page, reasons, people, due, isLaunched: isLaunched(c), now: seenAt, timeZone };
}

type DeviceProps = Awaited<ReturnType<typeof readDevicePage>>;

export function changeDevice(c: OwnerContext) {
  return runIntent(c, { revoke, close, accept, discard }, idOf(c));
}

async function revoke(c: OwnerContext, device: number) {
  const { db, now } = c.var.app;
  return done(c, "revoke-fair-device", await revokeDevice(db, device, now()));
}

async function close(c: OwnerContext, device: number) {
  const { db, now } = c.var.app;
  return done(c, "close-fair-device", await closeDevice(db, device, now()));
}

async function accept(c: OwnerContext, device: number) {
  const { db, now } = c.var.app;
  const seenAt = seenAtOf(c);
  if (seenAt === undefined) return badRequest(c);
  const added = isLaunched(c) ? 0 : await acceptSignUps(db, { device, seenAt }, now());
  return done(c, "accept-fair-sign-ups", added);
}

async function discard(c: OwnerContext, device: number) {
  const seenAt = seenAtOf(c);
  if (seenAt === undefined) return badRequest(c);
  return done(c, "discard-fair-sign-ups", await discardSignUps(c.var.app.db, { device, seenAt }));
}

/** When the page was made whose button was pressed. */
function seenAtOf(c: OwnerContext): EpochMillis | undefined {
  return parseId(String(c.var.form.get("seen")));
}

/** Records a change and goes back to the tablet. @param changed how many people, or whether anything changed */
async function done(c: OwnerContext, action: string, changed: number | boolean) {
  const details: Record<string, number> = typeof changed === "number" ? { people: changed } : {};
  if (changed) await c.var.record(action, { deviceId: idOf(c), ...details });
  return c.redirect(`/owner/fair/${idOf(c)}?done=${changed ? action : "unchanged"}`, 303);
}

/** Tablets with sign-ups that wait for the owner's decision. */
export async function fairInNeed(c: OwnerContext): Promise<AttentionItem[]> {
  const { db } = c.var.app;
  const toReview = (await countInbox(db)).filter(({ state }) => state === "held");
  const byDevice = Map.groupBy(toReview, ({ device }) => device);
  if (byDevice.size === 0) return [];
  return (await eventNamesOf(db, [...byDevice.keys()])).map(({ id, event }) => ({
    text: `${counted(sumPeople(byDevice.get(id) ?? []), "sign-up waits", "sign-ups wait")} for your decision, from tablet ${id} at “${event}”.`,
    action: { label: "Decide", about: `about tablet ${id}`, href: `/owner/fair/${id}` },
  }));
}

function idOf(c: OwnerContext): number {
  return Number(c.req.param("id"));
}

function deviceView(props: DeviceProps) {
  const { device, due, people, now, timeZone } = props;
  const { id, event, source, received, waiting, last_seen_at: seen, closed_at } = device;
  return (
    <Page title={event} section="fair" back={{ href: "/owner/fair", name: "All tablets" }}>
      <Outcome />
      <Facts
        facts={[
          ["Tablet", String(id)],
          ["State", stateText(device, now, timeZone)],
          ["Source", source],
          ["Sent", formatNumber(received)],
          ["Still on it", closed_at === null && seen !== null ? `${formatNumber(waiting)} at its last contact` : null],
          ["About to be added", due === 0 ? null : formatNumber(due)],
          ["Last seen", seen === null ? "Never" : formatTime(seen, timeZone)],
          ["Closed", closed_at === null ? null : formatTime(closed_at, timeZone)],
        ]}
      />
      <Actions>
        <ButtonLink label="See who has joined" kind="quiet" href={`/owner/entries?source=${source}`} />
      </Actions>
      {people === 0 ? null : <Review {...props} />}
      {closed_at === null ? <End {...props} /> : null}
    </Page>
  );
}

function Review({ device: { id }, reasons, signUps, people, page, hasMore, isLaunched, now, timeZone }: DeviceProps) {
  const path = `/owner/fair/${id}`;
  const addable = sumPeople(reasons.filter(({ reason }) => canBeAdded[reason]));
  const isShort = addable < people ? " The others can only be discarded." : "";
  return (
    <Section id="held" title="For you to decide">
      <p>{`${counted(people, "sign-up needs", "sign-ups need")} your decision, for ${reasons.length > 1 ? "these reasons" : "this reason"}:`}</p>
      <ul>
        {reasons.map(({ reason, people: some }) => (
          <li key={reason}>{`${reasonTexts[reason]}: ${formatNumber(some)}`}</li>
        ))}
      </ul>
      <Actions>
        {addable === 0 || isLaunched ? null : (
          <Confirm
            question="Accept"
            kind="main"
            text={`${counted(addable, "person", "people")} will be added to the list, each with a welcome or confirmation email.${isShort}`}
            value="accept"
            label={`Accept ${counted(addable, "sign-up", "sign-ups")}`}
            hidden={{ seen: String(now) }}
            action={path}
          />
        )}
        <Confirm
          question="Discard"
          text={`${counted(people, "sign-up", "sign-ups")} will be deleted. These people will not be on the list. This cannot be undone.`}
          value="discard"
          label={`Discard ${counted(people, "sign-up", "sign-ups")}`}
          hidden={{ seen: String(now) }}
          action={path}
        />
      </Actions>
      {isLaunched && addable > 0 ? <p>The site has launched, so none can be added.</p> : null}
      <Table
        className="cards"
        labelledBy="held"
        columns={[
          { name: "Address", kind: "words", cell: ({ email }) => email ?? "Cannot be read" },
          { name: "Entered", cell: ({ typed_at }) => formatTime(typed_at, timeZone) },
          ...(reasons.length > 1
            ? [{ name: "Reason", cell: ({ reason }: SignUpInReview) => reason && reasonTexts[reason] }]
            : []),
        ]}
        rows={signUps}
        rowKey={(signUp) => signUp.id}
      />
      <Paging
        label="Sign-ups to decide"
        links={{
          Earlier: page > 1 && `${path}?page=${page - 1}#held`,
          Later: hasMore && `${path}?page=${page + 1}#held`,
        }}
      />
    </Section>
  );
}

const reasonTexts: Record<ReviewReason, string> = {
  expired: "Arrived after the tablet had expired",
  revoked: "The tablet was revoked first",
  limit: `Over the limit of ${formatNumber(MAX_SIGN_UPS)} from one tablet`,
  mailbox: "For days, its mailbox has had as many emails as it may",
  launched: "The site has launched",
  unreadable: "Cannot be read",
  address: "The address is not valid",
  disposable: "A throwaway address, which this site refuses",
};

function End({ device, due, people, now, timeZone }: DeviceProps) {
  const path = `/owner/fair/${device.id}`;
  const isOpen = stateOf(device, now) === "open";
  return (
    <Section id="end" title={isOpen ? "Stop using this tablet" : "Close the tablet"}>
      {isOpen ? (
        <>
          <p>If the tablet is lost or stolen, revoke it. After the event, it expires by itself.</p>
          <Confirm
            question="Revoke"
            text="Once revoked, the tablet adds no one. Anything it still sends waits here for your decision. This cannot be undone."
            value="revoke"
            label="Revoke the tablet"
            action={path}
          />
        </>
      ) : null}
      {isOver(device, now) && due === 0 ? (
        <>
          <p>Closing destroys the key that decrypts what is stored on the tablet.</p>
          <Confirm
            question="Close"
            text={lossText(device, people, timeZone)}
            value="close"
            label="Close the tablet"
            action={path}
          />
        </>
      ) : null}
      {!isOpen && due > 0 ? <p>You can close the tablet once everything it sent has been added.</p> : null}
    </Section>
  );
}

/** What is lost when a device is closed, in sentences. @param toReview how many wait for the owner's decision */
function lossText(device: DeviceRow, toReview: number, timeZone: string): string {
  const texts = [tabletText(device, timeZone)];
  if (toReview > 0)
    texts.push(`${counted(toReview, "sign-up that waits", "sign-ups that wait")} for your decision will be deleted.`);
  return [...texts, "This cannot be undone."].join(" ");
}

function tabletText({ key_hash, waiting, last_seen_at: seen, form_closed_at }: DeviceRow, timeZone: string): string {
  if (key_hash === null || seen === null) return "No tablet has used the code, so no sign-ups will be lost.";
  if (waiting > 0) {
    const left = counted(waiting, "sign-up was", "sign-ups were");
    return `At its last contact, on ${formatTime(seen, timeZone)}, ${left} still on the tablet. Any still there will be lost, because no one will be able to read them.`;
  }
  if (form_closed_at === null) {
    return `The tablet was last seen on ${formatTime(seen, timeZone)}, when its form was still open. Any sign-ups still on it will be lost, because no one will be able to read them.`;
  }
  return "The tablet has sent everything that it had.";
}
