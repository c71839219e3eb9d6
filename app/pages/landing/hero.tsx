import { type Benefit, benefits } from "#app/pages/landing/benefits.tsx";
import * as sections from "#app/pages/landing/sections.ts";
import { site } from "#app/site.ts";
import { MarketScene } from "#app/ui/illustrations/market-scene.tsx";
import { SignUpForm } from "#app/waitlist/sign-up-form.tsx";

/** Introduction, sign-up form and benefits. */
export function Hero() {
  return (
    <section className="hero" aria-labelledby="invitation">
      <div className="page hero-words">
        <h1 id="invitation">The right stall at the right fair</h1>
        <p className="lead">
          {`We’ll match ${site.host.label} with craft ${site.stallholder.many}. `}
          <strong>Join free</strong>
          {` as ${site.pioneer.one}, try it first and help shape it.`}
        </p>
        <SignUpForm id="join" />
      </div>
      {sections.drawing ? <MarketScene /> : null}
      {sections.benefits ? <Benefits /> : null}
    </section>
  );
}

function Benefits() {
  return (
    <div className="hero-ground">
      <ul className="page tags">
        {benefits.map((benefit) => (
          <Tag key={benefit.title} {...benefit} />
        ))}
      </ul>
    </div>
  );
}

/** A benefit, drawn as a swing ticket. */
function Tag({ title, text, Icon }: Benefit) {
  return (
    <li className="card tag">
      <Icon />
      <h2>{title}</h2>
      <p>{text}</p>
    </li>
  );
}
