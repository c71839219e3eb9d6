import { topShares } from "#scripts/bench/cpu-profile.ts";
import { explainBytes, percent } from "#scripts/bench/explain.ts";
import { type GroupOptions, needsExplanation, type Outcome } from "#scripts/bench/outcome.ts";
import { withSourceNames } from "#scripts/bench/source-names.ts";
import { median } from "#scripts/bench/statistics.ts";
import { bundleSize, startUpTimes } from "#scripts/bench/worker-bundle.ts";

/** Measures the Worker's deployed size and start-up time. */
export async function measureWorker(options: GroupOptions): Promise<Outcome> {
  const { gzip, packages } = await bundleSize();
  const { milliseconds, profile } = await startUpTimes(options.short ? 1 : 5);
  const values = { bundle: gzip, startUp: median(milliseconds) };
  const explanations = [];
  if (needsExplanation("bundle", values.bundle, options)) {
    explanations.push(explainBytes("The Worker's bundle by package, each compressed separately", packages));
  }
  if (needsExplanation("startUp", values.startUp, options)) {
    const rows = topShares(withSourceNames(profile), 8).map(({ name, share }) => [`\`${name}\``, percent(share)]);
    explanations.push({ title: "CPU while the Worker starts", head: ["function", "share of CPU time"], rows });
  }
  return {
    values,
    tables: [
      {
        title: "CPU time of each start-up, in milliseconds",
        head: milliseconds.map((_, index) => String(index + 1)),
        rows: [milliseconds.map((time) => time.toFixed(1))],
      },
    ],
    explanations,
  };
}
