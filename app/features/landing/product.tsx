import type { ComponentType } from "react";
import type { BritishDate } from "#app/server/time/british-date.ts";
import { type Founder, site } from "#app/site.ts";
import * as switches from "#app/switches.ts";
import { HostScene, StallholderScene } from "#app/ui/illustrations/product-scenes.tsx";
import { PageLink } from "#app/ui/page-link.tsx";
import { SiteName } from "#app/ui/site-name.tsx";

export function Product({ fairDate, ...proof }: { fairDate: string } & ProofProps) {
  return (
    <section className="product" aria-labelledby="product">
      <div className="page">
        <div className="product-head">
          <div className="section-head">
            <h2 id="product">What is the product?</h2>
            <p className="lead">
              <SiteName />
              {` is where ${site.host.one} with pitches to fill and ${site.stallholder.one} with a free weekend find each other, settle the details and keep the paperwork in one place.`}
            </p>
          </div>
          <MatchSlip date={fairDate} />
        </div>
        <div className="sides">
          {sides.map(({ title, text, gains, Scene }) => (
            <article key={title} className="card side">
              <Scene />
              <div className="side-words">
                <h3>{title}</h3>
                <p>{text}</p>
                <ul className="bare-list gains">
                  {gains.map((gain) => (
                    <li key={gain}>{gain}</li>
                  ))}
                </ul>
              </div>
            </article>
          ))}
        </div>
        <Proof {...proof} />
      </div>
    </section>
  );
}

const sides: { title: string; text: string; gains: string[]; Scene: ComponentType }[] = [
  {
    title: site.host.title,
    text: "You run the fair. You want it full of good stalls, without a month of chasing them.",
    gains: [
      "See which stallholders are free on your date, near enough to come and right for your event.",
      "Collect forms, signatures and documents online, filed by stall.",
      "Keep in touch with the stallholders you would gladly invite again.",
    ],
    Scene: HostScene,
  },
  {
    title: site.stallholder.title,
    text: "You make the things people come for. You want the fairs that suit you, without a new form each time.",
    gains: [
      "See which events fall on your free days, within the distance you will travel, and suit your stall.",
      "Keep one profile and one set of documents, ready for every host who asks.",
      "Build a reputation that follows you from fair to fair.",
    ],
    Scene: StallholderScene,
  },
];

/** What a stallholder could be shown: a sample, and captioned as one. @param props.date - in the future, as text */
function MatchSlip({ date }: { date: string }) {
  return (
    <figure className="slip">
      <div className="card slip-paper">
        <h3>The Riverside Makers’ Market</h3>
        <p>
          Frome, Somerset
          <br />
          <span>{date}</span>
        </p>
        <ul className="bare-list">
          <li>
            <strong>You’re free</strong> It’s on one of your days.
          </li>
          <li>
            <strong>It’s near</strong> It’s within the distance you travel.
          </li>
          <li>
            <strong>It fits</strong> They need pottery and have room for your stall.
          </li>
        </ul>
      </div>
      <figcaption className="muted">What a match could look like</figcaption>
    </figure>
  );
}

interface ProofProps {
  /** How many Pioneers there are, such as `150+`; null if there are few. */
  pioneers: string | null;
  letter: { path: `/${string}`; title: string; date: BritishDate } | null;
  /** Absent: no note. */
  founder?: Founder;
  isLaunched: boolean;
}

/** Pixels of each side of the founder's photograph, as in product.css. */
const PHOTO = 112;

/** Signs that there are people behind this: how many have joined, a note and a letter. Nothing of what there is not. */
function Proof({ pioneers, letter, founder, isLaunched }: ProofProps) {
  if (pioneers === null && letter === null && founder === undefined) return null;
  return (
    <div className="proof">
      {!switches.pioneerCount || pioneers === null ? null : (
        <p className="proof-count">
          <strong>{pioneers}</strong> {site.pioneer.many}{" "}
          <span>{isLaunched ? "joined before we opened" : "are already on the waitlist"}</span>
        </p>
      )}
      {founder === undefined ? null : (
        <figure className={founder.photo === undefined ? undefined : "proof-photo"}>
          {founder.photo === undefined ? null : (
            <img src={founder.photo} alt={founder.name} width={PHOTO} height={PHOTO} loading="lazy" decoding="async" />
          )}
          <blockquote>{founder.note}</blockquote>
          <figcaption>{founder.name}</figcaption>
        </figure>
      )}
      {!switches.letters || letter === null ? null : (
        <p>
          Our latest letter: <PageLink to={letter.path}>{letter.title}</PageLink>{" "}
          <time dateTime={letter.date.iso}>{letter.date.text}</time>
        </p>
      )}
    </div>
  );
}
