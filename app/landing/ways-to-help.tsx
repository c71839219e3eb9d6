import type { ReactNode } from "react";
import { Link } from "react-router";
import { Bunting } from "#app/pictures/bunting.tsx";
import { ShareButton } from "#app/share/share-button.tsx";
import { type ClickTarget, track } from "#app/tracking/track.ts";
import { SignUpForm } from "#app/waitlist/sign-up-form.tsx";
import { HELP_SOURCE } from "#app/waitlist/sources.ts";
import "#app/landing/ways-to-help.css";

interface WaysToHelpProps {
  /** Where a coffee can be bought; without it there is no such row. */
  supportUrl: string | undefined;
}

export function WaysToHelp({ supportUrl }: WaysToHelpProps) {
  return (
    <section className="ways" aria-labelledby="ways">
      <Bunting />
      <div className="page ways-columns">
        <h2 id="ways">Ways you can help</h2>
        <ul className="ways-rows">
          <Way title="Answer the survey" text="Tell us how you find stalls or fairs today, and where it goes wrong.">
            <Link className="button button-quiet" to="/survey" viewTransition onClick={clicked("survey")}>
              Take the survey
            </Link>
          </Way>
          <Way title="Pass it on" text="You know a host or a maker who would want this. Send them this page.">
            <ShareButton />
          </Way>
          <Way title="Join the mailing list" text="News of the launch, in your inbox and nowhere else.">
            <SignUpForm id="join-help" source={HELP_SOURCE} />
          </Way>
          {supportUrl === undefined ? null : (
            <Way title="Buy us a coffee" text="If you like where this is going, a coffee helps it along.">
              <a className="button button-quiet" href={supportUrl} rel="noopener" onClick={clicked("support")}>
                Buy us a coffee
              </a>
            </Way>
          )}
        </ul>
      </div>
    </section>
  );
}

function clicked(target: ClickTarget) {
  return () => track({ kind: "clicked", target });
}

function Way({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <li className="way">
      <div>
        <h3>{title}</h3>
        <p>{text}</p>
      </div>
      <div className="way-action">{children}</div>
    </li>
  );
}
