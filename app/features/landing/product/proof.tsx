import type { NewestPage } from "#app/server/context.ts";
import { type Founder, site } from "#app/site.ts";
import * as switches from "#app/switches.ts";
import { PageLink } from "#app/ui/page-link.tsx";
import type { ShownPioneers } from "#app/waitlist/entries/pioneers.server.ts";

export interface ProofProps {
  /** Null if there are few. */
  pioneers: ShownPioneers | null;
  letter: NewestPage | null;
  /** Absent: no note. */
  founder?: Founder;
  isLaunched: boolean;
}

/** Pixels of each side of the founder's photograph, as in proof.css. */
const PHOTO = 112;

/** Signs that there are people behind this: a note, how many have joined and a letter. What is missing is left out. */
export function Proof({ pioneers, letter, founder, isLaunched }: ProofProps) {
  if (pioneers === null && letter === null && founder === undefined) return null;
  return (
    <div className="proof">
      {founder === undefined ? null : <Note {...founder} />}
      {!switches.pioneerCount || pioneers === null ? null : (
        <p className="card proof-count">
          <strong>{pioneers.total}</strong>{" "}
          <span>
            {`${site.pioneer.many} ${isLaunched ? "joined before we opened" : "are already on the waitlist"}${pioneers.sides.length === 0 ? "" : `, including ${pioneers.sides.join(" and ")}`}.`}
          </span>
        </p>
      )}
      {!switches.letters || letter === null ? null : <Letter {...letter} />}
    </div>
  );
}

function Note({ name, note, photo }: Founder) {
  return (
    <figure className="card">
      {photo === undefined ? null : (
        <img src={photo} alt={name} width={PHOTO} height={PHOTO} loading="lazy" decoding="async" />
      )}
      <blockquote>{note}</blockquote>
      <figcaption>{name}</figcaption>
    </figure>
  );
}

function Letter({ path, title, date, firstLine }: NewestPage) {
  return (
    <article className="card proof-letter">
      <p className="muted">Our latest letter</p>
      <h3>
        <PageLink to={path}>{title}</PageLink>
      </h3>
      {firstLine === "" ? null : <p>{firstLine}</p>}
      <time className="muted" dateTime={date.iso}>
        {date.text}
      </time>
    </article>
  );
}
