import { isDeepStrictEqual } from "node:util";
import { capture, startBarePage, withoutNonces } from "#scripts/bench/controls.ts";
import { explainCpu } from "#scripts/bench/explain.ts";
import { compare, LOAD, ratio, SHORT_LOAD } from "#scripts/bench/load.ts";
import { type GroupOptions, needsExplanation, type Outcome } from "#scripts/bench/outcome.ts";
import { startSite } from "#scripts/bench/workers.ts";

const RENDER_ALWAYS = { RENDER_CACHE: "off" };

/** Compares the landing page, cached and rendered for each request, with a bare Worker that returns its bytes. */
export async function measureLanding(options: GroupOptions): Promise<Outcome> {
  await using site = await startSite({ transport: "socket" });
  await using rendering = await startSite({ transport: "socket", vars: RENDER_ALWAYS });
  await using bare = await startBarePage(await capture(`${site.url}/`));
  const [cached, rendered, control] = await compare(
    [
      { ...site, name: "the site" },
      { ...rendering, name: "the site, rendering" },
      { ...bare, name: "bare Worker, same bytes" },
    ],
    options.short ? SHORT_LOAD : LOAD,
  );
  await requireSameResponse(site.url, bare.url);

  const values = { cached: ratio(cached, control), rendered: ratio(rendered, control) };
  const explanations = [];
  const requests = options.short ? 50 : 600;
  if (needsExplanation("cached", values.cached, options)) {
    explanations.push(await explainCpu({ title: "CPU while the landing page is served from the cache", requests }));
  }
  if (needsExplanation("rendered", values.rendered, options)) {
    const title = "CPU while the landing page is rendered";
    explanations.push(await explainCpu({ title, requests, vars: RENDER_ALWAYS }));
  }
  const comparison = { title: "Landing page", sides: [control, cached, rendered] };
  return { values, comparison, tables: [], explanations };
}

/** @throws when status, headers or bytes differ beyond nonces, since the ratio would be meaningless */
async function requireSameResponse(site: string, bare: string): Promise<void> {
  const [one, other] = await Promise.all([capture(`${site}/`), capture(`${bare}/`)]);
  if (!isDeepStrictEqual(withoutNonces(one), withoutNonces(other))) {
    throw new Error("The bare Worker's response differs from the site's");
  }
}
