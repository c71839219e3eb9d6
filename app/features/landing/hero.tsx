import { type ComponentType, lazy } from "react";
import { benefits } from "#app/features/landing/benefits.tsx";
import { IconPicture } from "#app/features/landing/icon-picture.tsx";
import { site } from "#app/site.ts";
import * as switches from "#app/switches.ts";
import { ServerDrawn } from "#app/ui/illustrations/server-drawn.tsx";
import type { Launch } from "#app/ui/root-data.ts";
import { SiteName } from "#app/ui/site-name.tsx";
import { INVITATION } from "#app/waitlist/entries/personal-link.ts";
import type { ConsentWording } from "#app/waitlist/sign-up/consent-wording.ts";
import { SignUpForm } from "#app/waitlist/sign-up/sign-up-form.tsx";

/** Whether a picture on this page, here or further down, is made of shared parts. */
const hasPictures = switches.drawing || switches.product || switches.blog;

const SharedParts = import.meta.env.SSR
  ? (await import("#app/ui/illustrations/shared-parts.tsx")).SharedParts
  : lazy<ComponentType>(() =>
      import("#app/ui/illustrations/shared-parts.tsx")
        .then(({ SharedParts }) => ({ default: SharedParts }))
        .catch(() => ({ default: () => null })),
    );
const MarketScene = !switches.drawing
  ? null
  : import.meta.env.SSR
    ? (await import("#app/ui/illustrations/market-scene.tsx")).MarketScene
    : lazy<ComponentType>(() =>
        import("#app/ui/illustrations/market-scene.tsx")
          .then(({ MarketScene }) => ({ default: MarketScene }))
          .catch(() => ({ default: () => null })),
      );

interface HeroProps {
  /** Undefined before the launch. */
  launch: Launch | undefined;
  launchSentence?: string;
  wording: ConsentWording;
  /** Whether a friend’s link led here. */
  isInvited: boolean;
}

/** Introduction, sign-up form and benefits; after the launch, a link to the product instead of the last two. */
export function Hero({ launch, launchSentence, wording, isInvited }: HeroProps) {
  return (
    <section className="hero" aria-labelledby="join-heading">
      <div className="page hero-words">
        {switches.referrals && isInvited ? <p className="invited">{INVITATION}</p> : null}
        <h1 id="join-heading">The right stall at the right fair</h1>
        {launch === undefined ? <Invitation wording={wording} /> : <ProductLink {...launch} />}
      </div>
      {hasPictures ? <ServerDrawn className="shared-parts" Drawing={SharedParts} /> : null}
      {MarketScene === null ? null : <ServerDrawn className="market" Drawing={MarketScene} />}
      {switches.benefits && launch === undefined ? (
        <div className="hero-ground">
          <ul className="bare-list page tags">
            {/* Each is drawn as a swing ticket. */}
            {benefits(launchSentence).map(({ title, text, icon }) => (
              <li key={title} className="card tag">
                <IconPicture name={icon} />
                <h2>{title}</h2>
                <p>{text}</p>
              </li>
            ))}
          </ul>
        </div>
      ) : null}
    </section>
  );
}

function Invitation({ wording }: { wording: ConsentWording }) {
  return (
    <>
      <p className="lead">
        <SiteName />
        {` will match ${site.host.label} with craft ${site.stallholder.many}. `}
        <strong>{"Join\u00a0free"}</strong>
        {` as ${site.pioneer.one} to try it first and help shape it.`}
      </p>
      <SignUpForm id="join" wording={wording} />
    </>
  );
}

/** Has the anchor of the form, to which other pages and emails may link. */
function ProductLink({ url, button, lead, note }: Launch) {
  return (
    <>
      <p className="lead">{lead}</p>
      <div id="join" className="sign-up">
        <p className="sign-up-row">
          <a className="button" href={url}>
            {button}
          </a>
        </p>
        <p className="sign-up-promise">{note}</p>
      </div>
    </>
  );
}
