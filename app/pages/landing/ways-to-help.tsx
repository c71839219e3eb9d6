import type { ReactElement, ReactNode } from "react";
import { type ClickTarget, track } from "#app/consent/tracking/track.ts";
import { ShareButton } from "#app/pages/share/share-button.tsx";
import { Bunting } from "#app/ui/illustrations/bunting.tsx";
import { PageLink } from "#app/ui/page-link.tsx";
import { Still } from "#app/ui/still.tsx";
import { SignUpForm } from "#app/waitlist/sign-up-form.tsx";
import { HELP_SOURCE } from "#app/waitlist/sources.ts";

interface WaysToHelpProps {
  /** The URL that visitors share. */
  shareUrl: string;
  /** Undefined hides the coffee row. */
  supportUrl: string | undefined;
}

export function WaysToHelp({ shareUrl, supportUrl }: WaysToHelpProps) {
  return (
    <section className="ways" aria-labelledby="ways">
      <Bunting />
      <div className="page ways-columns">
        <h2 id="ways">Ways you can help</h2>
        <ul className="ways-rows">
          <Way text={texts.survey}>
            <PageLink className="button button-quiet" to="/survey" onClick={trackClick("survey")}>
              Take the survey
            </PageLink>
          </Way>
          <Way text={texts.share}>
            <ShareButton url={shareUrl} />
          </Way>
          <Way text={texts.join}>
            <SignUpForm id="join-help" source={HELP_SOURCE} />
          </Way>
          {supportUrl === undefined ? null : (
            <Way text={texts.coffee}>
              <a className="button button-quiet" href={supportUrl} rel="noopener" onClick={trackClick("support")}>
                Buy us a coffee
              </a>
            </Way>
          )}
        </ul>
      </div>
    </section>
  );
}

function trackClick(target: ClickTarget) {
  return () => track({ kind: "clicked", target });
}

const texts = {
  survey: (
    <>
      <h3>Answer the survey</h3>
      <p>Tell us how you find stalls or fairs today, and where it goes wrong.</p>
    </>
  ),
  share: (
    <>
      <h3>Pass it on</h3>
      <p>You know a host or a maker who would want this. Send them this page.</p>
    </>
  ),
  join: (
    <>
      <h3>Join the mailing list</h3>
      <p>News of the launch, in your inbox and nowhere else.</p>
    </>
  ),
  coffee: (
    <>
      <h3>Buy us a coffee</h3>
      <p>If you like where this is going, a coffee helps it along.</p>
    </>
  ),
};

/** @param text a constant element, for {@link Still} */
function Way({ text, children }: { text: ReactElement; children: ReactNode }) {
  return (
    <li className="way">
      <Still as="div" content={text} />
      <div className="way-action">{children}</div>
    </li>
  );
}
