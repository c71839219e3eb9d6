import type { BritishDate } from "#app/server/time/british-date.ts";
import { founder, site } from "#app/site.ts";
import * as switches from "#app/switches.ts";
import { PageLink } from "#app/ui/page-link.tsx";

export interface ProofProps {
  /** How many Pioneers there are, such as `150+`; null if there are few. */
  pioneers: string | null;
  letter: { path: `/${string}`; title: string; date: BritishDate } | null;
  isLaunched: boolean;
}

/** Signs that there are people behind this: how many have joined, a note and a letter. Nothing of what there is not. */
export function Proof({ pioneers, letter, isLaunched }: ProofProps) {
  if (pioneers === null && letter === null && founder === null) return null;
  return (
    <div className="proof">
      {!switches.pioneerCount || pioneers === null ? null : (
        <p className="proof-count">
          <strong>{pioneers}</strong> {site.pioneer.many}{" "}
          <span>{isLaunched ? "joined before we opened" : "are already on the waitlist"}</span>
        </p>
      )}
      {founder === null ? null : (
        <figure>
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
