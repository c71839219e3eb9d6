import { deadlines } from "#app/features/legal/commitments.ts";
import { PolicySection } from "#app/features/legal/policy-page.tsx";
import { PageLink } from "#app/ui/page-link.tsx";

/** Chapter III of the GDPR, in plain words. */
export function PrivacyRights({ email }: { email: string }) {
  return (
    <PolicySection id="your-rights" title="Your rights">
      <p>You can ask us at any time to:</p>
      <ul>
        <li>show you what we hold about you, and give you a copy;</li>
        <li>correct it where it is wrong;</li>
        <li>erase it;</li>
        <li>
          stop using it for a while, or stop a use that you object to and that is based on our legitimate interest;
        </li>
        <li>take you off the waitlist, which withdraws your consent from then on.</li>
      </ul>
      <p>
        Our emails link to a page about your entry, except those that only ask you to confirm your address. On that page
        you can unsubscribe, rejoin, see what we store, or erase your entry at once. The link works for 30 days, and for
        your entry only, so do not forward the email. If it has expired, you can have a new one emailed to you. The link
        that only unsubscribes never expires. If someone enters your address after you leave, you are not added again;
        we email you once to ask. If you choose “Never email this address again”, we do not even ask.
      </p>
      <p>
        For everything else, write to <a href={`mailto:${email}`}>{email}</a>. It costs nothing, and we answer{" "}
        {`within ${deadlines.rightsRequest}`}. The <PageLink to="/cookie-policy#your-choices">cookie policy</PageLink>{" "}
        says how to change your consent to cookies.
      </p>
      <p>
        You also have the right to complain to a supervisory authority: in the United Kingdom the{" "}
        <a href="https://ico.org.uk/make-a-complaint/">Information Commissioner’s Office</a>, in the European Union{" "}
        <a href="https://www.edpb.europa.eu/about-edpb/about-edpb/members_en">the authority of your country</a>. We
        would be glad of the chance to put things right first.
      </p>
    </PolicySection>
  );
}
