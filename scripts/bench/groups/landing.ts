import { isDeepStrictEqual } from "node:util";
import { ask, startBarePage, withoutNonces } from "#scripts/bench/controls.ts";
import { explainCpu } from "#scripts/bench/explain.ts";
import { compare, LOAD, ratio, SHORT_LOAD } from "#scripts/bench/load.ts";
import { type GroupOptions, type Outcome, wantsReason } from "#scripts/bench/outcome.ts";
import { startSite } from "#scripts/bench/workers.ts";

/** Renders every page anew. */
const RENDER_ALWAYS = { RENDER_CACHE: "off" };

/** The landing page, as kept and as rendered anew, beside a bare Worker that returns its bytes. */
export async function measureLanding(options: GroupOptions): Promise<Outcome> {
  await using site = await startSite({ door: "socket" });
  await using rendering = await startSite({ door: "socket", vars: RENDER_ALWAYS });
  await using bare = await startBarePage(await ask(`${site.url}/`));
  const [kept, rendered, floor] = await compare(
    [
      { ...site, name: "the site" },
      { ...rendering, name: "the site, rendering" },
      { ...bare, name: "bare Worker, same bytes" },
    ],
    options.short ? SHORT_LOAD : LOAD,
  );
  await requireSameAnswer(site.url, bare.url);

  const figures = { cached: ratio(kept, floor), rendered: ratio(rendered, floor) };
  const reasons = [];
  const requests = options.short ? 50 : 600;
  if (wantsReason("cached", figures.cached, options)) {
    reasons.push(await explainCpu({ title: "CPU while the landing page is asked for", requests }));
  }
  if (wantsReason("rendered", figures.rendered, options)) {
    const title = "CPU while the landing page is rendered";
    reasons.push(await explainCpu({ title, requests, vars: RENDER_ALWAYS }));
  }
  return { figures, comparison: { what: "Landing page", sides: [floor, kept, rendered] }, tables: [], reasons };
}

/**
 * The bare Worker does what it claims: the same status, headers and bytes as the site, save for nonces.
 *
 * @throws when it does not, since the ratio would mean nothing
 */
async function requireSameAnswer(site: string, bare: string): Promise<void> {
  const [one, other] = await Promise.all([ask(`${site}/`), ask(`${bare}/`)]);
  if (!isDeepStrictEqual(withoutNonces(one), withoutNonces(other))) {
    throw new Error("The bare Worker returned something else than the site");
  }
}
