import type { ReactNode } from "react";
import { listHref } from "#app/features/overview/list-links.ts";
import type { Stats } from "#app/features/overview/stats.server.ts";
import { formatNumber } from "#app/owner/ui/labels.ts";

/** How many people can get email, and everyone else who joined, so that the numbers add up. */
export function Total({ entries }: Pick<Stats, "entries">) {
  const { joined, canGetEmail, unconfirmed, unsubscribed, suppressed, erased } = entries;
  return (
    <section className="panel total" aria-labelledby="total">
      <h2 id="total">
        <a className="quiet-link total-number" href={listHref({ status: "active" })}>
          {formatNumber(canGetEmail)}
        </a>{" "}
        can get email
      </h2>
      <dl className="total-parts">
        <Part name="Unconfirmed" people={unconfirmed} href={listHref({ confirmation: "unconfirmed" })} />
        <Part name="Unsubscribed" people={unsubscribed} href={listHref({ status: "unsubscribed" })} />
        <Part name="Suppressed" people={suppressed} href={listHref({ status: "suppressed" })}>
          Their address bounced, or is blocked
        </Part>
        <Part name="Erased" people={erased} />
        <div className="total-sum">
          <dt>Joined in total</dt>
          <dd>{formatNumber(joined)}</dd>
        </div>
      </dl>
    </section>
  );
}

interface PartProps {
  name: string;
  people: number;
  href?: string;
  children?: ReactNode;
}

function Part({ name, people, href, children }: PartProps) {
  if (people === 0) return null;
  return (
    <div>
      <dt>
        {href === undefined ? name : <a href={href}>{name}</a>}
        {children === undefined ? null : <small>{children}</small>}
      </dt>
      <dd>{formatNumber(people)}</dd>
    </div>
  );
}
