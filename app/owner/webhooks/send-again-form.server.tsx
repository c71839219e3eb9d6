import { Actions, Button } from "#app/owner/ui/actions.server.tsx";
import { Choice, Field } from "#app/owner/ui/field.server.tsx";
import { Section } from "#app/owner/ui/page.server.tsx";
import { DELIVERED_RETENTION_DAYS, RETENTION_DAYS } from "#app/owner/webhooks/deliveries.server.ts";
import type { GivenSince } from "#app/owner/webhooks/read-since.ts";

interface SendAgainProps {
  /** Of the endpoint. */
  id: number;
  /** The time to begin with. */
  since: string;
  /** A form that was refused. */
  given: GivenSince | undefined;
  timeZone: string;
}

/** Sends all events since a time again. */
export function SendAgainForm({ id, since, given, timeZone }: SendAgainProps) {
  return (
    <Section id="again" title="Send events again">
      <p>
        {`For a receiver that was down or has lost something. Each event keeps its id, so that the receiver can leave out what it already knows. Accepted events are stored for ${DELIVERED_RETENTION_DAYS} days, failed ones for ${RETENTION_DAYS}.`}
      </p>
      <form className="form" method="post" action={`/owner/webhooks/${id}`}>
        <Field
          name="since"
          label={`Since (day and time in ${timeZone})`}
          type="datetime-local"
          value={given?.time ?? since}
          problem={given === undefined ? undefined : "Choose a day and a time."}
        />
        <Choice
          name="which"
          legend="Which"
          options={{ failed: "Those that failed", all: "All that are stored" }}
          value={given?.which ?? "failed"}
        />
        <Actions>
          <Button label="Send these events again" kind="quiet" value="again-since" />
        </Actions>
      </form>
    </Section>
  );
}
