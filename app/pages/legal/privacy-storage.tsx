import { deadlines, retention } from "#app/pages/legal/commitments.ts";
import { PolicySection } from "#app/pages/legal/policy-page.tsx";
import { CONFIRM_DAYS } from "#app/waitlist/confirmation.ts";
import { WAITLIST_RETENTION_MONTHS } from "#app/waitlist/retention.ts";

/** Retention, processors and security. */
export function PrivacyStorage() {
  return (
    <PolicySection id="storage-and-security" title="Storage and security">
      <h3>How long we keep it</h3>
      <ul>
        <li>
          <strong>Your waitlist entry:</strong>{" "}
          {`until you ask us to erase it, and no longer than ${WAITLIST_RETENTION_MONTHS} months after you joined. If we ask you to confirm your address and you do not, we erase it after ${CONFIRM_DAYS} days.`}
        </li>
        <li>
          <strong>Addresses we must not email:</strong> a code made from the address with a secret key, from which the
          address cannot be read. After a bounce we keep it for 7 days. If you report our email as spam, or ask us never
          to email you, we keep it until you rejoin, even if your entry is erased: without it we could not keep that
          promise.
        </li>
        <li>
          <strong>Analytics data:</strong> {`kept ${retention.analyticsMonths} months.`}
        </li>
        <li>
          <strong>Support inquiries:</strong> {`kept up to ${retention.supportInquiryYears} years.`}
        </li>
        <li>
          <strong>Technical logs:</strong> kept no more than 7 days. They hold no e-mail address.
        </li>
      </ul>
      <p>
        The database keeps a history of itself for 30 days, for repairs (Cloudflare calls it Time Travel). After that,
        what was erased is gone from there too. What stays of an erased entry is one more in a count.
      </p>
      <h3>Who handles it for us</h3>
      <p>
        Cloudflare hosts this site, stores the waitlist and sends our mail. If you agree to them, Google handles
        analytics data and Meta handles advert data. These companies also work outside the UK and the European Economic
        Area, and rely on adequacy decisions or standard contractual clauses to do so.
      </p>
      <h3>How we protect it</h3>
      <p>
        Everything travels encrypted, only the owner of this site can read the waitlist, and what we do not need we do
        not collect. If a breach puts your data at risk, we notify the supervisory authority{" "}
        {`within ${deadlines.breachNotificationHours} hours`} of learning of it, and you without delay where the risk to
        you is high.
      </p>
    </PolicySection>
  );
}
