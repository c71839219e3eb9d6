import type { UnsubscribeReason } from "#app/server/db/schema/entries.server.ts";
import type { ConsentRecord } from "#app/waitlist/my-data/consent-record.server.ts";

const reasons: Record<UnsubscribeReason, string> = {
  "own-choice": "by you",
  complaint: "because one of our emails was reported as spam",
  bounce: "because an email to you bounced",
  owner: "by us",
};

export function ConsentDetails({ record }: { record: ConsentRecord }) {
  const { agreed, wording, note, form, confirmation, confirmed, unsubscribed, unsubscribeReason } = record;
  return (
    <section aria-labelledby="your-consent">
      <h2 id="your-consent">Your consent</h2>
      <dl className="your-entry-details">
        <Detail name="Signed up with" value={form} />
        {agreed === null ? null : <Detail name="Agreed on" value={agreed} />}
        {wording === null && note !== null ? null : (
          <Detail name="Wording" value={wording === null ? "None stated" : `“${wording}”`} />
        )}
        {note === null ? null : <Detail name="How you agreed" value={`“${note}”`} />}
        {confirmed === null ? null : <Detail name="Address confirmed" value={confirmed} />}
        {confirmation === "unconfirmed" ? <Detail name="Address confirmed" value="Not yet" /> : null}
        {unsubscribed === null ? null : (
          <Detail
            name="Withdrawn"
            value={unsubscribeReason === null ? unsubscribed : `${unsubscribed}, ${reasons[unsubscribeReason]}`}
          />
        )}
      </dl>
    </section>
  );
}

function Detail({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
