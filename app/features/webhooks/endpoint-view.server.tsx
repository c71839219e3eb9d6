import { EndpointForm, type GivenEndpoint } from "#app/features/webhooks/endpoint-form.server.tsx";
import type { Delivery, EndpointState } from "#app/features/webhooks/endpoints.server.ts";
import { eventLabelsOf } from "#app/features/webhooks/events.ts";
import { ROTATION } from "#app/features/webhooks/sign.server.ts";
import { cappedCount, EndpointStatus, hostOf } from "#app/features/webhooks/webhooks-page.server.tsx";
import { Actions, Button, ButtonForm, Confirm } from "#app/owner/ui/actions.server.tsx";
import { Facts, Table } from "#app/owner/ui/data.server.tsx";
import { ChoiceField, Field } from "#app/owner/ui/field.server.tsx";
import { formatTime } from "#app/owner/ui/labels.ts";
import { Paging } from "#app/owner/ui/navigation.server.tsx";
import { Message, Outcome, Page, Section } from "#app/owner/ui/page.server.tsx";
import { DEAD_DAYS, DONE_DAYS } from "#app/server/queue.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";

export interface EndpointProps {
  endpoint: EndpointState;
  waiting: Delivery[];
  /** Those that failed last first. */
  failed: Delivery[];
  hasOlder: boolean;
  /** Whether the failed ones are the first page. */
  isFirst: boolean;
  secret: string;
  /** What the form for sending again begins with: a time as typed, and when the events had ended, so that the next can follow. */
  again: { time: string; which: "failed" | "all"; endedBefore: EpochMillis };
  now: EpochMillis;
  timeZone: string;
  refused: { given?: GivenEndpoint; again?: EndpointProps["again"]; testProblem?: string };
}

export function endpointView(props: EndpointProps) {
  const { endpoint, refused } = props;
  const { id, off_reason } = endpoint;
  return (
    <Page
      title="Webhook"
      section="webhooks"
      heading={hostOf(endpoint.url)}
      back={{ href: "/owner/webhooks", name: "All webhooks" }}
    >
      <Outcome />
      {off_reason === "gone" ? (
        <Message kind="error">
          The receiver asked for no more events (status 410), so this endpoint was turned off. If that is a mistake, fix
          it in the other program, then turn the endpoint on. Waiting events will be sent then.
        </Message>
      ) : null}
      <State {...props} />
      <WaitingEvents {...props} />
      <FailedEvents {...props} />
      <SendAgain {...props} />
      <Secret {...props} />
      <Section id="change" title="Change">
        <EndpointForm action={`/owner/webhooks/${id}`} button="Save the changes" {...(refused.given ?? endpoint)} />
      </Section>
      <Confirm
        question="Delete this endpoint"
        text="Waiting events will not be sent, and the signing secret is lost for good."
        value="delete"
        label="Delete the endpoint"
        action={`/owner/webhooks/${id}`}
      />
    </Page>
  );
}

function State({ endpoint, timeZone, refused: { testProblem } }: EndpointProps) {
  const { id, url, events, is_on, waiting, failed, last_delivered_at: last, has_personal_data } = endpoint;
  const action = `/owner/webhooks/${id}`;
  return (
    <>
      <Facts
        facts={[
          ["URL", url],
          ["State", <EndpointStatus key="state" {...endpoint} />],
          ["Personal data", has_personal_data ? "Addresses and answers" : "None"],
          ["Last accepted", last === null ? "No event yet" : formatTime(last, timeZone)],
          ["Waiting", cappedCount(waiting)],
          ["Failed", cappedCount(failed)],
        ]}
      />
      <Actions>
        {is_on ? (
          <ButtonForm action={action} value="turn-off" label="Turn off" />
        ) : (
          <ButtonForm action={action} value="turn-on" label="Turn on" />
        )}
      </Actions>
      <form className="form" method="post" action={action}>
        <Field
          name="event"
          label="Test event"
          hint="It looks like a real one, but for “test” and an invented person. Use it to map fields in the other program."
          options={eventLabelsOf(events)}
          problem={testProblem}
        />
        <Actions>
          <Button label="Send a test event" value="test" />
        </Actions>
      </form>
    </>
  );
}

function WaitingEvents({ endpoint: { is_on, paused_until }, waiting, now, timeZone }: EndpointProps) {
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
          { name: "Last attempt", kind: "words", cell: (delivery) => attemptText(delivery) },
          { name: "Next attempt", cell: nextAttempt },
          { name: "Attempts", kind: "number", cell: ({ attempts }) => attempts },
        ]}
        rows={waiting}
        rowKey={({ id }) => id}
      />
    </Section>
  );
}

function FailedEvents({ endpoint, failed, hasOlder, isFirst, timeZone }: EndpointProps) {
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
          { name: "Why", kind: "words", cell: (delivery) => attemptText(delivery) },
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

function SendAgain({ endpoint: { id }, again, refused, timeZone }: EndpointProps) {
  const given = refused.again ?? again;
  return (
    <Section id="again" title="Send events again">
      <p>
        {`Use this if the other program was down or lost events. Each event keeps its id, so the program can skip those it already has. Accepted events are stored for ${DONE_DAYS} days, failed ones for ${DEAD_DAYS}.`}
      </p>
      <form className="form" method="post" action={`/owner/webhooks/${id}`}>
        <Field
          name="since"
          label={`Since (day and time in ${timeZone})`}
          type="datetime-local"
          value={given.time}
          problem={refused.again ? "Choose a day and a time." : undefined}
        />
        <ChoiceField
          name="which"
          legend="Which"
          options={{ failed: "Those that failed", all: "All that are stored" }}
          value={given.which}
        />
        <input type="hidden" name="ended" value={given.endedBefore} />
        <Actions>
          <Button label="Send these events again" kind="quiet" value="again-since" />
        </Actions>
      </form>
    </Section>
  );
}

function Secret({ endpoint: { id, rotated_at, secret_number }, secret, now, timeZone }: EndpointProps) {
  const until = rotated_at === null ? 0 : rotated_at + ROTATION;
  return (
    <Section id="secret" title="Signing secret">
      <p>With it, the receiver can tell that an event comes from this site. Give it to no one else.</p>
      <details className="data">
        <summary>Show the secret</summary>
        <p className="panel">
          <code>{secret}</code>
        </p>
      </details>
      {until > now ? <p>{`Until ${formatTime(until, timeZone)}, events are signed with the old secret too.`}</p> : null}
      <Confirm
        question="Replace the secret"
        kind="quiet"
        text="The receiver needs the new one within 24 hours. Until then, events are signed with both."
        value="replace-secret"
        label="Replace the secret"
        hidden={{ number: String(secret_number) }}
        action={`/owner/webhooks/${id}`}
      />
    </Section>
  );
}

/** What became of the last attempt at a delivery. */
export function attemptText({ reason, last_status }: Pick<Delivery, "reason" | "last_status">): string {
  if (reason !== "status") return attemptTexts[reason ?? ""] ?? "No attempt was made";
  return String(last_status).startsWith("3")
    ? `It redirected us (${last_status}). Use the URL that it leads to`
    : `It responded with ${last_status}`;
}

const attemptTexts: Record<string, string> = {
  address: "The URL is not a public https address",
  timeout: "It took longer than 15 seconds",
  dns: "Its host name was not found, or its tunnel is down",
  tls: "Its certificate could not be trusted, or it speaks no TLS",
  refused: "It refused or broke the connection",
  unreachable: "It could not be reached. Check its name and its certificate",
  interrupted: "The last attempt was interrupted",
  "too-late": "It accepted nothing for more than three days",
};
