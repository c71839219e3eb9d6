import { deadlines } from "#app/pages/legal/commitments.ts";
import { PolicySection } from "#app/pages/legal/policy-page.tsx";
import { PageLink } from "#app/ui/page-link.tsx";

/** Chapter III of the GDPR, in plain words. */
export function PrivacyRights({ email }: { email: string }) {
  return (
    <PolicySection id="your-rights" title="Your rights">
      <p>You can ask us at any time to:</p>
      <ul>
        <li>show you what we hold about you, and give you a copy to take elsewhere;</li>
        <li>correct what is wrong;</li>
        <li>erase it;</li>
        <li>stop using it for a while, or object to a use that rests on our legitimate interest;</li>
        <li>take you off the waitlist, which withdraws your consent for the time to come.</li>
      </ul>
      <p>
        Every email of ours has a link to a page about your own entry. Its buttons take you off the list, show you what
        we store, let you rejoin, or erase your entry at once. The link works for 30 days and only for your entry, so
        keep the email to yourself; an older link sends you a new one. The link that only unsubscribes never expires. If
        someone enters your address after you leave, you are not added again: we email you once to ask, and not even
        that if you choose “Never email this address again”.
      </p>
      <p>
        For everything else, write to <a href={`mailto:${email}`}>{email}</a>. It costs nothing, and we answer{" "}
        {`within ${deadlines.rightsRequest}`}. Consent to cookies is changed as the{" "}
        <PageLink to="/cookie-policy#your-choices">cookie policy</PageLink> describes.
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
