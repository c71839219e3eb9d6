import { type ReactNode, use } from "react";
import { type ClickTarget, track } from "#app/consent/tracking/track.ts";
import { type IconName, IconPicture } from "#app/features/landing/icon-picture.tsx";
import { site } from "#app/site.ts";
import * as switches from "#app/switches.ts";
import { Bunting } from "#app/ui/illustrations/bunting.tsx";
import { PageLink } from "#app/ui/page-link.tsx";
import { HELP_SOURCE } from "#app/waitlist/entries/sources.ts";
import type { ConsentWording } from "#app/waitlist/sign-up/consent-wording.ts";
import { SignUpForm } from "#app/waitlist/sign-up/sign-up-form.tsx";
import { ShareContext } from "#app/waitlist/sign-up/ticket/share-context.ts";

interface WaysToHelpProps {
  description: string;
  isLaunched: boolean;
  isSurveyOpen: boolean;
  /** Undefined hides the coffee row. */
  supportUrl: string | undefined;
  wording: ConsentWording;
}

export function WaysToHelp({ description, isLaunched, isSurveyOpen, supportUrl, wording }: WaysToHelpProps) {
  const Share = use(ShareContext);
  return (
    <section className="ways" aria-labelledby="ways">
      <Bunting isRepeated={switches.largeLogo} />
      <div className="page">
        <h2 id="ways">Ways you can help</h2>
        <ul className="bare-list">
          {switches.survey ? (
            <Way
              icon="survey"
              title={isSurveyOpen ? "Answer the survey" : "Answer four questions"}
              text={`Tell us how you find stalls or fairs today, and where it goes wrong.${isSurveyOpen ? "" : " The survey opens soon; you can answer by email now."}`}
            >
              <PageLink className="button button-quiet" to="/survey" onClick={trackClick("survey")}>
                {isSurveyOpen ? "Take the survey" : "Read the questions"}
              </PageLink>
            </Way>
          ) : null}
          {Share ? (
            <Way
              icon="share"
              title="Pass it on"
              text={`Do you know ${site.host.one} or ${site.stallholder.one} who’d want this? Send them this page.`}
            >
              <Share text={description} />
            </Way>
          ) : null}
          {isLaunched ? null : (
            <Way
              icon="letter"
              id="join-help-heading"
              title="Join the mailing list"
              text="Get news of the launch by email."
            >
              <SignUpForm id="join-help" source={HELP_SOURCE} wording={wording} />
            </Way>
          )}
          {supportUrl === undefined ? null : (
            <Way icon="coffee" title="Buy us a coffee" text="Like where this is going? A small tip helps us build it.">
              <a className="button button-quiet" href={supportUrl} rel="noopener" onClick={trackClick("support")}>
                Leave a tip
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

type WayProps = { icon: IconName; id?: string; title: string; text: string; children: ReactNode };

function Way({ icon, id, title, text, children }: WayProps) {
  return (
    <li className={id === undefined ? "card way" : "card way way-join"}>
      <IconPicture name={icon} />
      <div>
        <h3 id={id}>{title}</h3>
        <p>{text}</p>
      </div>
      <div>{children}</div>
    </li>
  );
}
