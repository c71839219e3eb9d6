import { isDeepStrictEqual } from "node:util";
import { capture, startBarePage, withoutNonces } from "#scripts/bench/controls.ts";
import { compare, LOAD, ratio, SHORT_LOAD } from "#scripts/bench/load.ts";
import type { GroupOptions, Outcome } from "#scripts/bench/outcome.ts";
import { startSite } from "#scripts/bench/workers.ts";

/** Compares the landing page, served from the page cache, with a bare Worker that returns its bytes. */
export async function measureLanding({ short }: GroupOptions): Promise<Outcome> {
  await using site = await startSite({ transport: "socket" });
  await using bare = await startBarePage(await capture(`${site.url}/`));
  const [cached, control] = await compare(
    [
      { ...site, name: "the site" },
      { ...bare, name: "bare Worker, same bytes" },
    ],
    short ? SHORT_LOAD : LOAD,
  );
  await requireSameResponse(site.url, bare.url);
  return {
    values: { cached: ratio(cached, control) },
    comparison: { title: "Landing page", sides: [control, cached] },
    tables: [],
  };
}

/** @throws when status, headers or bytes differ beyond nonces, since the ratio would be meaningless */
async function requireSameResponse(site: string, bare: string): Promise<void> {
  const [one, other] = await Promise.all([capture(`${site}/`), capture(`${bare}/`)]);
  if (!isDeepStrictEqual(withoutNonces(one), withoutNonces(other))) {
    throw new Error("The bare Worker's response differs from the site's");
  }
}
