import { type ComponentType, lazy } from "react";
import type { MatchSlipProps } from "#app/features/landing/product/match-slip.tsx";
import { Proof, type ProofProps } from "#app/features/landing/product/proof.tsx";
import { site } from "#app/site.ts";
import * as switches from "#app/switches.ts";
import type { productScenes } from "#app/ui/illustrations/product-scenes.tsx";
import { ServerDrawn } from "#app/ui/illustrations/server-drawn.tsx";
import { SiteName } from "#app/ui/site-name.tsx";

const MatchSlip = !switches.product
  ? null
  : import.meta.env.SSR
    ? (await import("#app/features/landing/product/match-slip.tsx")).MatchSlip
    : lazy<ComponentType<MatchSlipProps>>(() =>
        import("#app/features/landing/product/match-slip.tsx")
          .then(({ MatchSlip }) => ({ default: MatchSlip }))
          .catch(() => ({ default: () => null })),
      );

export function Product({ fairDates, ...proof }: Pick<MatchSlipProps, "fairDates"> & ProofProps) {
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
          {MatchSlip === null ? null : (
            <ServerDrawn
              Tag="div"
              className="match"
              Drawing={MatchSlip}
              props={{ fairDates, isLaunched: proof.isLaunched }}
            />
          )}
        </div>
        <div className="sides">
          {sides.map(({ title, text, gains, scene }) => (
            <article key={title} className="card side">
              <picture>
                <source srcSet={`/sides/${scene}-dark.svg`} media="(prefers-color-scheme: dark)" />
                <img
                  className="scene"
                  src={`/sides/${scene}-light.svg`}
                  alt=""
                  width="400"
                  height="210"
                  loading="lazy"
                  decoding="async"
                />
              </picture>
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

/** `scene`: its picture in public/sides. `npm run generate:images` draws it. */
const sides: { title: string; text: string; gains: string[]; scene: keyof typeof productScenes }[] = [
  {
    title: site.host.title,
    text: "You run the fair. You want it full of good stalls, without a month of chasing them.",
    gains: [
      "See which stallholders are free on your date, near enough to come and right for your event.",
      "Collect signed forms, insurance and PAT test certificates online, filed by stall.",
      "Keep in touch with the stallholders you’d gladly invite again.",
    ],
    scene: "host",
  },
  {
    title: site.stallholder.title,
    text: "You make the things people come for. You want the fairs that suit you, without a new form each time.",
    gains: [
      "See which events are on your free days, within reach and right for your stall.",
      "Keep one profile and one set of documents, ready for every host who asks.",
      "Build a reputation that follows you from fair to fair.",
    ],
    scene: "stallholder",
  },
];
