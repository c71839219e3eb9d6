import type { BritishDate } from "#app/server/time/british-date.ts";
import { type Founder, site } from "#app/site.ts";
import * as switches from "#app/switches.ts";
import { PageLink } from "#app/ui/page-link.tsx";

export interface ProofProps {
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
export function Proof({ pioneers, letter, founder, isLaunched }: ProofProps) {
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
