import { MAX_URL } from "#app/features/webhooks/endpoint-url.server.ts";
import type { EndpointChoice } from "#app/features/webhooks/endpoints.server.ts";
import { eventLabelsOf, events } from "#app/features/webhooks/events.ts";
import type { GivenEndpoint } from "#app/features/webhooks/read-endpoint.ts";
import { Actions, Button } from "#app/owner/ui/actions.server.tsx";
import { Choice, Field, Problem } from "#app/owner/ui/field.server.tsx";
import type { WebhookEvent } from "#app/server/db/schema/webhooks.server.ts";

interface EndpointFormProps extends Omit<EndpointChoice, "events"> {
  events: readonly WebhookEvent[];
  action: string;
  button: string;
  problems?: GivenEndpoint["problems"] | undefined;
}

export function EndpointForm({
  action,
  button,
  url,
  events: chosen,
  has_personal_data,
  problems = {},
}: EndpointFormProps) {
  return (
    <form className="form" method="post" action={action}>
      <Field
        name="url"
        label="URL"
        hint="Copy it from the other program. Keep it secret: anyone who knows it may be able to send false events there."
        type="url"
        inputMode="url"
        required
        maxLength={MAX_URL}
        autoCapitalize="none"
        spellCheck={false}
        value={url}
        problem={problems.url}
      />
      <div>
        <Choice name="events" legend="Events" type="checkbox" options={eventLabelsOf(events)} value={[...chosen]} />
        <Problem id="events-problem">{problems.events}</Problem>
      </div>
      <div>
        <Choice
          name="personal"
          legend="Personal data in events"
          options={{ no: "Only the number of the entry", yes: "Email address and answers too" }}
          value={has_personal_data ? "yes" : "no"}
        />
        <p className="hint">
          Share addresses only with a service that you have a data processing agreement with and that your privacy
          policy names.
        </p>
      </div>
      <Actions>
        <Button label={button} value="save" />
      </Actions>
    </form>
  );
}
