import { deadlines, privacyUpdated } from "#app/pages/legal/commitments.ts";
import { type Controller, ControllerAddress } from "#app/pages/legal/controller.tsx";
import { PolicyPage, PolicySection } from "#app/pages/legal/policy-page.tsx";
import { PrivacyRights } from "#app/pages/legal/privacy-rights.tsx";
import { PrivacyStorage } from "#app/pages/legal/privacy-storage.tsx";
import { site } from "#app/site.ts";
import { PageLink } from "#app/ui/page-link.tsx";
import { useTurnstileSiteKey } from "#app/waitlist/abuse/use-challenge.ts";

/** Covers the site before the launch; the platform will need a separate policy. */
export function PrivacyPolicy({ controller }: { controller: Controller }) {
  return (
    <PolicyPage title="Privacy policy" updated={privacyUpdated}>
      <Introduction controller={controller} />
      <Collected />
      <Use />
      <PrivacyStorage />
      <PrivacyRights email={controller.email} />
      <Contact controller={controller} />
    </PolicyPage>
  );
}

function Introduction({ controller }: { controller: Controller }) {
  return (
    <PolicySection id="introduction" title="Introduction">
      <p>
        {site.name} is a planned platform that matches event hosts with craft stallholders. This policy says what we
        learn about you when you use this site, why, and how long we keep it. It follows the UK GDPR and the EU GDPR.
      </p>
      <p>The controller, which is who answers for your data, is:</p>
      <ControllerAddress controller={controller} />
    </PolicySection>
  );
}

function Collected() {
  return (
    <PolicySection id="information-we-collect" title="Information we collect">
      <h3>When you join the waitlist</h3>
      <ul>
        <li>your e-mail address;</li>
        <li>which form on the site you used, and when;</li>
        <li>which wording of that form you agreed to;</li>
        <li>where we ask you to confirm your address: when you did so, and when we reminded you;</li>
        <li>when you left the waitlist, and whether that was your choice, ours or a report of spam;</li>
        <li>
          what brought you here, where your browser or the link tells us: the campaign labels in the page address (those
          that begin with utm_) and the name of the site that linked to us;
        </li>
        <li>
          a keyed hash of your mailbox, so that no mailbox gets too many emails from us. Without our key it cannot be
          turned back into your address;
        </li>
        <li>which emails we sent you, and whether they bounced or were reported as spam.</li>
      </ul>
      <p>
        You do not have to give us any of this to read the site. Without an e-mail address we cannot put you on the
        waitlist.
      </p>
      <h3>When you write to us</h3>
      <p>Your address, your message and our answer.</p>
      <h3>When you visit</h3>
      <p>
        Cloudflare, which runs this site for us, handles your IP address to deliver pages and to keep attacks away. We
        use it to count sign-up tries for one minute, and do not store it.
      </p>
      {useTurnstileSiteKey() === undefined ? null : (
        <p>
          When you begin to fill in a sign-up form, your browser asks Cloudflare Turnstile whether you are a person. For
          that Cloudflare sees your IP address and technical details of your browser. We learn yes or no, and store only
          that with your entry. Without JavaScript nothing of this happens.
        </p>
      )}
      <h3>Only if you agree</h3>
      <p>
        With analytics switched on, Google Analytics and Cloudflare Web Analytics tell us which pages are visited and
        what is used on them. With marketing switched on, the Meta Pixel tells us which adverts brought people here.
        They also learn that you joined, shared the site or followed a link to help us, but not your e-mail address.
        None of them is loaded before you agree. The <PageLink to="/cookie-policy">cookie policy</PageLink> lists what
        they store.
      </p>
      <h3>What other sites collect</h3>
      <p>
        The <PageLink to="/survey">survey</PageLink> is a form of another provider, which receives your answers and your
        IP address once you open that page. Links to our blog posts, to Facebook and to our support page lead to sites
        with policies of their own. The pictures that blog posts bring to our pages come from this site itself, so
        nobody else learns that you saw them.
      </p>
    </PolicySection>
  );
}

function Use() {
  return (
    <PolicySection id="how-we-use-it" title="How we use your information">
      <ul>
        <li>
          <strong>To run the waitlist:</strong> one welcome mail, then news of the launch. The legal basis is your
          consent, which you can withdraw whenever you like. We keep a record of it, because we must be able to prove
          it.
        </li>
        <li>
          <strong>To see which invitations work:</strong> form, campaign labels and linking site. The legal basis is our
          legitimate interest in knowing where to invite people.
        </li>
        <li>
          <strong>To keep the site safe:</strong> counting tries and technical logs. The legal basis is our legitimate
          interest in keeping robots off the list.
        </li>
        <li>
          <strong>To answer you:</strong> the legal basis is our legitimate interest in helping people who ask.
        </li>
        <li>
          <strong>To measure visits and adverts:</strong> the legal basis is your consent, given on the cookie banner.
        </li>
      </ul>
      <p>We do not sell your data, and no decision about you is made by a machine alone.</p>
    </PolicySection>
  );
}

function Contact({ controller }: { controller: Controller }) {
  return (
    <PolicySection id="contact" title="Contact">
      <p>
        Ask us anything about this policy or your data.{" "}
        {`We answer inquiries within ${deadlines.inquiryBusinessDays} business days.`}
      </p>
      <ControllerAddress controller={controller} />
    </PolicySection>
  );
}
