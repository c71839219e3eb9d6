import { deadlines, retention } from "#app/features/legal/commitments.ts";
import { PolicySection } from "#app/features/legal/policy-page.tsx";
import { api, fair, letters, referrals, series, visits } from "#app/switches.ts";
import { CONFIRM_DAYS } from "#app/waitlist/confirmation/confirmation.ts";
import {
  CHANGES_KEPT_DAYS,
  SENT_EMAIL_RETENTION_DAYS,
  VISITS_RETENTION_MONTHS,
  WAITLIST_RETENTION_MONTHS,
} from "#app/waitlist/entries/retention.ts";

interface PrivacyStorageProps {
  /** The company that sends the site's email. */
  emailService: string;
  /** Whether people were ever asked anything after joining. */
  hasQuestions: boolean;
}

export function PrivacyStorage({ emailService, hasQuestions }: PrivacyStorageProps) {
  return (
    <PolicySection id="storage-and-security" title="Storage and security">
      <h3>How long we keep it</h3>
      <ul>
        <li>
          <strong>Your waitlist entry:</strong>{" "}
          {`until you ask us to erase it, and no longer than ${WAITLIST_RETENTION_MONTHS} months after you joined. If we ask you to confirm your address and you do not, we erase it after ${CONFIRM_DAYS} days.`}
        </li>
        <li>
          <strong>Addresses we must not email:</strong> a keyed hash of the address, which cannot be turned back into it
          without our key. After a bounce we keep it for 7 days. If you report an email as spam, or ask us never to
          email you, we keep it until you rejoin or ask us to remove it, even if your entry is erased. If we block your
          address ourselves, we keep it until you ask us to remove it. Without it, we would not know that we must not
          email you.
        </li>
        <li>
          <strong>Addresses we must not add again:</strong> if you erase your entry yourself, or have left when it is
          erased, the same keyed hash, so that we do not add you again, by hand or from a list. You can still join
          again. We keep it until you do so and confirm your address, or ask us to remove it.
        </li>
        {referrals ? (
          <>
            <li>
              <strong>Who joined through whose personal link:</strong> until either of you erases their entry, which
              cuts the tie. A friend who counted stays in the number, without a name. Numbers and rewards are kept as
              long as the entry that they belong to.
            </li>
            <li>
              <strong>Friends who counted:</strong>{" "}
              {`a keyed hash of the mailbox, and of the domain if it is not a large provider’s, kept for ${WAITLIST_RETENTION_MONTHS} months, even if the friend erases their entry, so that no one counts twice. They do not say through whose link the friend came.`}
            </li>
          </>
        ) : null}
        <li>
          <strong>Reports of bounces and spam:</strong> the id of each report is kept for 7 days, without your address.
          <span>
            {emailService === "Cloudflare"
              ? " Cloudflare keeps the report itself until this site has read it, for no more than 4 days."
              : null}
          </span>
        </li>
        <li>
          <strong>Records of emails we sent you:</strong>{" "}
          {`kept for ${SENT_EMAIL_RETENTION_DAYS} days. After that we keep only when your welcome email was sent.`}
        </li>
        {api ? (
          <li>
            <strong>Which entries have changed:</strong>{" "}
            {`if another program of ours keeps a copy of the waitlist, the number of your entry and when it changed, kept for ${CHANGES_KEPT_DAYS} days, also after it is erased. So the program learns what to correct or erase.`}
          </li>
        ) : null}
        {letters ? (
          <li>
            <strong>Letters{series ? " and follow-ups" : ""}:</strong> which of them you were sent and when, or why you
            were left out, for as long as we keep your entry. These records hold the number of your entry, not your
            address. Once your entry is erased, the number is removed, and they only count towards our totals.
          </li>
        ) : null}
        {letters && hasQuestions ? (
          <li>
            <strong>Answers in letters{series ? " and follow-ups" : ""}:</strong> if one greets you with one of your
            answers, we keep a copy of that answer until our email service has accepted or refused the email. If you
            erase your entry, we erase the copy too.
          </li>
        ) : null}
        {fair ? (
          <li>
            <strong>What you entered on our tablet at a fair:</strong> encrypted on our server until we have added you
            to the waitlist, usually within a day of reaching us. If it reaches us after the event, we keep it until we
            have decided whether to add you.
          </li>
        ) : null}
        <li>
          <strong>Requests for an owner’s sign-in link:</strong> a keyed hash of the network that asked, for a day.
        </li>
        {visits ? (
          <li>
            <strong>Totals of visits:</strong> {`kept for ${VISITS_RETENTION_MONTHS} months.`}
          </li>
        ) : null}
        <li>
          <strong>Analytics data:</strong> {`kept for ${retention.analyticsMonths} months.`}
        </li>
        <li>
          <strong>Support enquiries:</strong> {`kept for up to ${retention.supportInquiryYears} years.`}
        </li>
        <li>
          <strong>Technical logs:</strong> kept for no more than 7 days. They contain no email addresses.
        </li>
      </ul>
      <p>
        The database keeps a history of its changes for 30 days, for repairs (Cloudflare calls this Time Travel). After
        that, erased entries are gone from there too. All that remains is an anonymous total, and if we made a change to
        the entry ourselves, its number in our log for 12 months.
      </p>
      <h3>Who handles it for us</h3>
      <p>
        <span>
          {emailService === "Cloudflare"
            ? "Cloudflare hosts this site, stores the waitlist and sends our email, and can tell us when it bounces or is reported as spam."
            : `Cloudflare hosts this site and stores the waitlist. ${emailService} sends our email, and can tell us when it bounces or is reported as spam.`}
        </span>{" "}
        If you agree, Google handles analytics data and Meta handles advert data. These companies also process data
        outside the UK and the European Economic Area. They rely on adequacy decisions or standard contractual clauses
        to do so.
      </p>
      <h3>How we protect it</h3>
      <p>
        All connections are encrypted, only the people who run this site can read the waitlist, and we collect only what
        we need. If a breach puts your data at risk, we notify the supervisory authority{" "}
        {`within ${deadlines.breachNotificationHours} hours`} of learning of it. If the risk to you is high, we also
        notify you without delay.
      </p>
    </PolicySection>
  );
}
