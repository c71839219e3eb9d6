import { GroupTable } from "#app/owner/charts/group-table.server.tsx";
import { roleNames } from "#app/owner/labels.ts";
import type { Dates } from "#app/owner/list-link.ts";
import type { Stats } from "#app/owner/stats.server.ts";

/** Where people came from in the chosen period. Every row leads to its entries. */
export function Origins({ stats: { groups }, dates }: { stats: Stats; dates: Dates }) {
  return (
    <>
      <section aria-labelledby="utm-sources">
        <h2 id="utm-sources">By campaign source</h2>
        <GroupTable
          caption="The label utm_source of the links that people followed"
          kind="utm_source"
          groups={groups.utm_source}
          unnamed="No label"
          dates={dates}
        />
      </section>
      <section aria-labelledby="campaigns">
        <h2 id="campaigns">By campaign</h2>
        <GroupTable
          caption="The label utm_campaign of the links that people followed"
          kind="utm_campaign"
          groups={groups.utm_campaign}
          unnamed="No campaign"
          dates={dates}
        />
      </section>
      <section aria-labelledby="sites">
        <h2 id="sites">By referring site</h2>
        <GroupTable
          caption="The site whose link people followed"
          kind="referrer_host"
          groups={groups.referrer_host}
          unnamed="No site: typed, scanned or from an app"
          dates={dates}
        />
      </section>
      <div className="owner-trio">
        <section aria-labelledby="roles">
          <h2 id="roles">By role</h2>
          <GroupTable
            caption="What brings people here"
            kind="role"
            groups={groups.role}
            unnamed="No answer"
            labels={roleNames}
            dates={dates}
          />
        </section>
        <section aria-labelledby="sources">
          <h2 id="sources">By source</h2>
          <GroupTable
            caption="The form that people joined with"
            kind="source"
            groups={groups.source}
            unnamed="No source"
            dates={dates}
          />
        </section>
        <section aria-labelledby="pages">
          <h2 id="pages">By landing page</h2>
          <GroupTable caption="Where visits began" kind="page" groups={groups.page} unnamed="" dates={dates} />
        </section>
      </div>
    </>
  );
}
