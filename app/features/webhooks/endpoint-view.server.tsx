import { EndpointForm } from "#app/features/webhooks/endpoint-form.server.tsx";
import type { Delivery, EndpointState } from "#app/features/webhooks/endpoints.server.ts";
import { hostOf } from "#app/features/webhooks/endpoints-in-need.server.ts";
import { eventLabelsOf } from "#app/features/webhooks/events.ts";
import { FailedEvents, type FailedProps, WaitingEvents } from "#app/features/webhooks/events-view.server.tsx";
import type { GivenEndpoint } from "#app/features/webhooks/read-endpoint.ts";
import type { GivenSince } from "#app/features/webhooks/read-since.ts";
import { SendAgainForm } from "#app/features/webhooks/send-again-form.server.tsx";
import { ROTATION } from "#app/features/webhooks/sign.server.ts";
import { cappedCount, EndpointStatus } from "#app/features/webhooks/webhooks-view.server.tsx";
import { Actions, Button, ButtonForm, Confirm } from "#app/owner/ui/actions.server.tsx";
import { Facts } from "#app/owner/ui/data.server.tsx";
import { Field } from "#app/owner/ui/field.server.tsx";
import { formatTime } from "#app/owner/ui/labels.ts";
import { Message, Outcome, Page, Section } from "#app/owner/ui/page.server.tsx";

interface EndpointProps extends FailedProps {
  endpoint: EndpointState;
  /** The next events that wait. */
  waiting: Delivery[];
  /** Its current signing secret. */
  secret: string;
  /** What the form for sending again begins with. */
  again: GivenSince;
  /** Milliseconds since 1970. */
  now: number;
  refused: { given?: GivenEndpoint; since?: GivenSince; testProblem?: string };
}

/** An endpoint: its state, what failed, its secret and what can be changed. */
export function endpointView(props: EndpointProps) {
  const { endpoint, again, timeZone, refused } = props;
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
      <SendAgainForm
        id={id}
        given={refused.since ?? again}
        isRefused={refused.since !== undefined}
        timeZone={timeZone}
      />
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
