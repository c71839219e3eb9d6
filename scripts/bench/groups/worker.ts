import { topShares } from "#scripts/bench/cpu-profile.ts";
import { explainBytes, percent } from "#scripts/bench/explain.ts";
import { type GroupOptions, type Outcome, wantsReason } from "#scripts/bench/outcome.ts";
import { inSourceNames } from "#scripts/bench/source-names.ts";
import { median } from "#scripts/bench/statistics.ts";
import { bundleSize, startUpTimes } from "#scripts/bench/worker-bundle.ts";

/** What the Worker weighs when it is deployed, and what it takes to start. */
export async function measureWorker(options: GroupOptions): Promise<Outcome> {
  const { gzip, packages } = await bundleSize();
  const { milliseconds, profile } = await startUpTimes(options.short ? 1 : 5);
  const figures = { bundle: gzip, startUp: median(milliseconds) };
  const reasons = [];
  if (wantsReason("bundle", figures.bundle, options)) {
    reasons.push(explainBytes("What the Worker's bundle is made of, each part compressed by itself", packages));
  }
  if (wantsReason("startUp", figures.startUp, options)) {
    const rows = topShares(inSourceNames(profile), 8).map(({ name, share }) => [`\`${name}\``, percent(share)]);
    reasons.push({ title: "CPU while the Worker starts", head: ["function", "share of CPU time"], rows });
  }
  return {
    figures,
    tables: [
      {
        title: "CPU that each start-up took, in milliseconds",
        head: milliseconds.map((_, index) => String(index + 1)),
        rows: [milliseconds.map((time) => time.toFixed(1))],
      },
    ],
    reasons,
  };
}
