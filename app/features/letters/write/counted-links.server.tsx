import { campaignOf, siteAddress } from "#app/features/letters/send/counted-link.ts";
import { type CountedLink, readCountedLinks } from "#app/features/letters/send/counted-visits.server.ts";
import type { Letter } from "#app/features/letters/send/letters.server.ts";
import { type Column, Table } from "#app/owner/ui/data.server.tsx";
import { formatNumber } from "#app/owner/ui/labels.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { Section } from "#app/owner/ui/page.server.tsx";
import type { EpochMillis } from "#app/server/time/units.ts";
import { visits } from "#app/switches.ts";

type Sent = Pick<Letter, "id" | "step_id" | "body"> & {
  /** The first moment at which its emails may have been sent; null for none so far. */
  since: EpochMillis | null;
};

interface Counted {
  campaign: string;
  links: CountedLink[];
}

/** What the counted links of a letter or a follow-up brought; null if it has none, or was not sent. */
export async function readCounted(c: OwnerContext, { since, body, ...letter }: Sent): Promise<Counted | null> {
  if (since === null) return null;
  const { db, timeZone } = c.var.app;
  const campaign = campaignOf(letter);
  const links = await readCountedLinks(db, { campaign, since, timeZone });
  // A follow-up's text may have had some before.
  return links.length === 0 && !body.includes(siteAddress.counted) ? null : { campaign, links };
}

export function CountedResults({ counted }: { counted: Counted | null }) {
  if (counted === null) return null;
  const { campaign, links } = counted;
  const total = (name: "visits" | "people") => links.reduce((sum, link) => sum + link[name], 0);
  const all = { page: ALL, visits: total("visits"), people: total("people") };
  return (
    <Section id="counted-links" title="What its counted links brought">
      {links.length === 0 ? <p className="none">Nothing so far.</p> : null}
      <Table
        className="narrow"
        labelledBy="counted-links"
        columns={columnsOf(campaign)}
        rows={links.length < 2 ? links : [...links, all]}
        rowKey={({ page }) => page}
      />
      <p className="hint narrow">
        {visits
          ? "Visits are not people: two visits may be one person’s. Those by old browsers and by programs are not counted. "
          : ""}
        The links are the same for everyone who got this email, and for those whom it was passed on to.
      </p>
    </Section>
  );
}

const ALL = "all";

function columnsOf(campaign: string): Column<CountedLink>[] {
  return [
    { name: "Page", kind: "words", cell: ({ page }) => (page === ALL ? "All pages" : page || "Not known") },
    ...(visits
      ? [{ name: "Visits", kind: "number", cell: (link) => formatNumber(link.visits) } satisfies Column<CountedLink>]
      : []),
    {
      name: "Joined",
      kind: "number",
      cell: ({ page, people }) =>
        people === 0 || page === ALL ? (
          formatNumber(people)
        ) : (
          <a className="quiet-link" href={`/owner/entries?utm_campaign=${encodeURIComponent(campaign + page)}`}>
            {formatNumber(people)}
          </a>
        ),
    },
  ];
}
