import { deadlines, privacyChanges, privacyUpdated } from "#app/features/legal/commitments.ts";
import { privacyPage } from "#app/features/legal/page.ts";
import { PolicyPage, PolicySection } from "#app/features/legal/policy-page.tsx";
import { PrivacyStorage } from "#app/features/legal/privacy-storage.tsx";
import { siteSettings } from "#app/server/config/settings.server.ts";
import { appContext } from "#app/server/context.ts";
import { site } from "#app/site.ts";
import * as switches from "#app/switches.ts";
import { PageLink } from "#app/ui/page-link.tsx";
import { useRootData } from "#app/ui/root-data.ts";
import { SiteName } from "#app/ui/site-name.tsx";
import { askedQuestions } from "#app/waitlist/questions/questions.server.ts";
import { wordingFor } from "#app/waitlist/sign-up/consent-wording.ts";
import { readHasFollowUps } from "#app/waitlist/sign-up/shown-wording.server.ts";
import type { Route } from "./+types/privacy";

export const handle = { page: privacyPage };

export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { config, mailer } = app;
  const { CONTROLLER_NAME, CONTROLLER_ADDRESS, CONTACT_EMAIL } = config;
  return {
    controller: { name: CONTROLLER_NAME, address: CONTROLLER_ADDRESS, email: CONTACT_EMAIL },
    questions: askedQuestions().map(({ wording }) => wording),
    asksNoMore: siteSettings().retiredQuestions.length > 0,
    hasFollowUps: await readHasFollowUps(app),
    emailService: mailer?.provider ?? "Cloudflare",
  };
}

/** Covers the site before the launch; the platform will need a separate policy. */
export default function Privacy({ loaderData }: Route.ComponentProps) {
  const { controller, questions, asksNoMore, hasFollowUps, emailService } = loaderData;
  const hasQuestions = questions.length > 0 || asksNoMore;
  return (
    <PolicyPage page={privacyPage} title="Privacy policy" updated={privacyUpdated} changes={privacyChanges}>
      <PolicySection id="introduction" title="Introduction">
        <p>
          <SiteName /> is a planned platform that matches {site.host.label} with craft {site.stallholder.many}. This
          policy says what we learn about you when you use this site, why, and how long we keep it. It follows the UK
          GDPR and the EU GDPR.
        </p>
        <p>The controller, who is responsible for your data, is:</p>
        <ControllerAddress {...controller} />
      </PolicySection>
      <Collected questions={questions} asksNoMore={asksNoMore} />
      <Use hasQuestions={hasQuestions} hasFollowUps={hasFollowUps} />
      <PrivacyStorage emailService={emailService} hasQuestions={hasQuestions} />
      <Rights email={controller.email} />
      <PolicySection id="contact" title="Contact">
        <p>
          You can ask us anything about this policy or your data.{" "}
          {`We answer enquiries within ${deadlines.inquiryBusinessDays} business days.`}
        </p>
        <ControllerAddress {...controller} />
      </PolicySection>
    </PolicyPage>
  );
}

interface CollectedProps {
  questions: string[];
  /** Whether there are questions that are no longer asked. */
  asksNoMore: boolean;
}

function Collected({ questions, asksNoMore }: CollectedProps) {
  return (
    <PolicySection id="information-we-collect" title="Information we collect">
      <h3>When you join the waitlist</h3>
      <ul>
        <li>your email address, and whether it is still on the waitlist;</li>
        <li>which form on the site you used, and when;</li>
        <li>that you joined early, as {site.pioneer.one};</li>
        <li>which wording you agreed to, if the form told us;</li>
        <li>
          if you joined elsewhere, such as on a list at a fair or by asking us to add you: when and how you agreed;
        </li>
        <li>if we ask you to confirm your address: when we reminded you, and when you confirmed it;</li>
        <li>when you unsubscribed, and whether it was your choice, ours, or the result of a spam report;</li>
        <li>
          how you found us, if your browser or the link tells us: the campaign labels in the page address (those that
          begin with utm_) and the name of the site that linked to us;
        </li>
        {switches.referrals ? (
          <>
            <li>
              if you joined through someone’s personal link: whose link it was, and whether you count as their friend.
              We tell neither of you who the other is;
            </li>
            <li>
              how many people joined through your personal link, how many of them count, and which rewards you have
              earned and received;
            </li>
          </>
        ) : null}
        {questions.length === 0 ? null : (
          <li>
            if you tell us: your answers to our questions (
            <span>{questions.map((question) => `“${question}”`).join(", ")}</span>). You can change or remove them on
            the page behind the link in our emails;
          </li>
        )}
        {asksNoMore ? (
          <li>
            your answers to questions that we no longer ask. They stay with your entry until you erase it, or ask us to
            remove them;
          </li>
        ) : null}
        <li>whether your address belongs to a service for throwaway addresses;</li>
        {switches.fair ? (
          <li>
            if you joined on our tablet at a fair: which fair, and when. Until it is online, the tablet stores what you
            entered in encrypted form, so that nobody can read it there. It deletes its copy once we have received it;
          </li>
        ) : null}
        <li>our notes about you, such as what we agreed when we met, and what they said before;</li>
        <li>
          a keyed hash of your mailbox, so that no mailbox gets too many emails from us
          {switches.referrals ? " and no one counts twice as a friend" : ""}. It cannot be turned back into your address
          without our key;
        </li>
        <li>
          until we send the email that your sign-up causes: a keyed hash of the network that you use (not of your own IP
          address), so that many sign-ups from one network do not delay other people’s emails;
        </li>
        <li>which emails we sent you, and whether they bounced or were reported as spam.</li>
      </ul>
      <p>
        You can read the site without giving us any of this. To join the waitlist, you need to give us your email
        address.
      </p>
      <h3>When you write to us</h3>
      <p>Your email address, your message and our reply.</p>
      <h3>When you visit</h3>
      <p>
        Cloudflare, which hosts this site for us, uses your IP address to deliver pages and to block attacks. We use it
        for one minute, to count attempts to sign up, and do not store it.
      </p>
      {switches.visits ? (
        <p>
          We count visits: how many each page gets a day, and how many come from each linking site and with each
          campaign label in the page address, or two of them together. Each number is a total. We store nothing about
          you or your device, not even in hashed form, and nothing in your browser, so we cannot recognise you when you
          return or tell how many people the visits were.
          {switches.letters
            ? " Links in our letters can have such a label. It is the same for everyone who gets the letter, so it does not tell us who followed the link."
            : null}
        </p>
      ) : null}
      {useRootData()?.turnstileSiteKey === undefined ? null : (
        <p>
          When you start to fill in a sign-up form, your browser asks Cloudflare Turnstile whether you are human. To
          find out, Cloudflare sees your IP address and technical details of your browser. We learn only yes or no, and
          store the answer with your entry. None of this happens without JavaScript.
        </p>
      )}
      <h3>Only if you agree</h3>
      <p>
        Services that measure visits and adverts are loaded only after you agree to their category. Like every site you
        visit, they receive your IP address and the type of your browser and device. They never receive your email
        address.
      </p>
      <ul>
        <li>
          <strong>Google Analytics</strong> (analytics) receives the address and title of each page you open, the site
          you came from, and the fact that you joined{switches.share ? ", shared the site," : ""} or followed the link
          to {switches.survey ? "the survey or " : ""}the support page. Its cookies tell one browser from another.
        </li>
        <li>
          <strong>Cloudflare Web Analytics</strong> (analytics) receives the address of a page when your browser loads
          it, the page you came from, and how fast the page loaded and reacted. It sets no cookies, does not follow you
          from visit to visit, and does not learn whether you joined{switches.share ? " or shared the site" : ""}.
        </li>
        <li>
          <strong>The Meta Pixel</strong> (marketing) receives the address of each page you open, the same actions, and
          the name of the campaign if a link on Facebook or Instagram brought you here. Meta can link that to your
          account there.
        </li>
      </ul>
      <p>
        The <PageLink to="/cookie-policy">cookie policy</PageLink> lists the cookies that they set.
      </p>
      <h3>What other sites collect</h3>
      <p>
        {switches.survey ? (
          <>
            The <PageLink to="/survey">survey</PageLink> is a form run by another provider, which receives your IP
            address when you open that page, and your answers.{" "}
          </>
        ) : null}
        {`Our ${switches.blog ? "blog posts, " : ""}Facebook page and support page are on sites with their own policies.`}
        {switches.blog
          ? " Pictures of blog posts on our pages come from this site itself, so the blog does not learn that you saw them."
          : null}
      </p>
    </PolicySection>
  );
}

function Use({ hasQuestions, hasFollowUps }: { hasQuestions: boolean; hasFollowUps: boolean }) {
  return (
    <PolicySection id="how-we-use-it" title="How we use your information">
      <ul>
        <li>
          <strong>To run the waitlist:</strong> <span>{wordingFor(hasFollowUps).text}</span> The legal basis is your
          consent, which you can withdraw at any time. We keep a record of it, because we must be able to prove it.
        </li>
        {switches.letters && switches.series && hasFollowUps ? (
          <li>
            <strong>To follow up:</strong> after the welcome email we may send you up to five emails about what we are
            building, each a set number of days after you join or, if we ask you to confirm your address, after you
            confirm it. Each is sent to you once, and never two on the same day. They stop when you unsubscribe, report
            an email as spam or erase your entry, when we invite you, and when we launch. You get none if our form did
            not mention them when you joined. The legal basis is your consent.
          </li>
        ) : null}
        <li>
          <strong>To see which invitations work:</strong> the form, campaign labels and linking site of each sign-up
          {switches.visits ? ", and totals of visits" : ""}. The legal basis is our legitimate interest in knowing where
          to invite people.
        </li>
        {switches.referrals ? (
          <li>
            <strong>To thank people who invite friends:</strong> who joined through whose personal link, how many of
            their friends count, and checks that each person counts once. If you earn a reward, we email you about it.
            The legal basis is our legitimate interest in thanking people fairly.
          </li>
        ) : null}
        {hasQuestions ? (
          <li>
            <strong>To know who is waiting:</strong> your answers to our questions, so that people get the news meant
            for them. The legal basis is your consent, which you can withdraw by removing your answers.
          </li>
        ) : null}
        {switches.pioneerCount && switches.product ? (
          <li>
            <strong>To show how many have joined:</strong> the number of people on the waitlist, rounded down, once it
            is 100 or more.{" "}
            <span>
              {hasQuestions
                ? `If 20 or more of them say that they are ${site.host.many}, or ${site.stallholder.many}, we show that number too. `
                : ""}
            </span>
            The numbers name no one. The legal basis is our legitimate interest in showing that people have joined.
          </li>
        ) : null}
        <li>
          <strong>To keep the site safe:</strong> counts of attempts, checks of addresses, and technical logs. The legal
          basis is our legitimate interest in keeping bots off the waitlist.
        </li>
        <li>
          <strong>To answer you:</strong> the legal basis is our legitimate interest in helping people who ask.
        </li>
        <li>
          <strong>To measure visits and adverts:</strong> the legal basis is your consent, given on the cookie banner.
        </li>
      </ul>
      <p>We do not sell your data, and we make no automated decisions that significantly affect you.</p>
    </PolicySection>
  );
}

/** Chapter III of the GDPR, in plain words. */
function Rights({ email }: { email: string }) {
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

/** The data controller's contact details, required by Article 13 of the GDPR. */
function ControllerAddress({ name, address, email }: Route.ComponentProps["loaderData"]["controller"]) {
  return (
    <address className="policy-address">
      <span>{name}</span>
      <br />
      <span>{address}</span>
      <br />
      <a className="quiet-link" href={`mailto:${email}`}>
        {email}
      </a>
    </address>
  );
}
