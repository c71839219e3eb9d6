import { MatchSlip } from "#app/features/landing/match-slip.tsx";
import { Proof, type ProofProps } from "#app/features/landing/proof.tsx";
import { type Side, sides } from "#app/features/landing/sides.tsx";
import { site } from "#app/site.ts";
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
          {sides.map((side) => (
            <SideCard key={side.title} {...side} />
          ))}
        </div>
        <Proof {...proof} />
      </div>
    </section>
  );
}

function SideCard({ title, text, gains, Scene }: Side) {
  return (
    <article className="card side">
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
  );
}
