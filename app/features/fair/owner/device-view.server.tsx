import { type Device, stateOf } from "#app/features/fair/arm.server.ts";
import { isOver } from "#app/features/fair/devices.server.ts";
import { canBeAdded, type HeldSignUp } from "#app/features/fair/held.server.ts";
import { heldReasons, lossText, stateText } from "#app/features/fair/owner/device-words.server.ts";
import { Actions, ButtonLink, Confirm } from "#app/owner/ui/actions.server.tsx";
import { Facts, Table } from "#app/owner/ui/data.server.tsx";
import { counted, formatNumber, formatTime } from "#app/owner/ui/labels.ts";
import { Paging } from "#app/owner/ui/navigation.server.tsx";
import { Outcome, Page, Section } from "#app/owner/ui/page.server.tsx";
import type { ReviewReason } from "#app/server/db/schema/fair.server.ts";

interface DeviceProps {
  device: Device;
  /** How many are about to be added. */
  due: number;
  heldBy: { reason: ReviewReason; people: number }[];
  held: HeldSignUp[];
  page: number;
  hasMore: boolean;
  isLaunched: boolean;
  now: number;
  timeZone: string;
}

export function deviceView(props: DeviceProps) {
  const { device, due, heldBy, now, timeZone } = props;
  const { id, event, source, received, waiting, last_seen_at: seen, closed_at } = device;
  const people = heldBy.reduce((sum, one) => sum + one.people, 0);
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
      {people === 0 ? null : <Held {...props} people={people} />}
      {closed_at === null ? <End {...props} people={people} /> : null}
    </Page>
  );
}

type HeldProps = DeviceProps & { people: number };

function Held({ device: { id }, heldBy, held, people, page, hasMore, isLaunched, now, timeZone }: HeldProps) {
  const path = `/owner/fair/${id}`;
  const addable = heldBy.reduce((sum, one) => sum + (canBeAdded[one.reason] ? one.people : 0), 0);
  const isShort = addable < people ? " The others can only be discarded." : "";
  return (
    <Section id="held" title="For you to decide">
      <p>{`${counted(people, "sign-up needs", "sign-ups need")} your decision, for ${heldBy.length > 1 ? "these reasons" : "this reason"}:`}</p>
      <ul>
        {heldBy.map(({ reason, people: some }) => (
          <li key={reason}>{`${heldReasons[reason]}: ${formatNumber(some)}`}</li>
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
          ...(heldBy.length > 1
            ? [{ name: "Reason", cell: ({ reason }: HeldSignUp) => reason && heldReasons[reason] }]
            : []),
        ]}
        rows={held}
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

function End({ device, due, people, now, timeZone }: HeldProps) {
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
