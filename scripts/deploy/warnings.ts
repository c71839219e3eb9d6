import { launchDate, site } from "#app/site.ts";
import { britishDate } from "#app/ui/british-date.ts";

/** The product's name in the repository that forks start from. */
const SAMPLE_NAME = "Stallwright";

/** What the owner may have forgotten to change, one sentence each. A deployment goes on all the same. */
export function forgottenChanges(
  product: Readonly<{ name: string; launch: string; launchDate: string }> = { ...site, launchDate },
  now = new Date(),
): string[] {
  const warnings: string[] = [];
  if (product.name === SAMPLE_NAME) {
    warnings.push(
      `The site is still called ${SAMPLE_NAME}, as the sample is; docs/make-it-yours.md says how to change it.`,
    );
  }
  if (product.launchDate < now.toISOString().slice(0, 10)) {
    const { text } = britishDate(Date.parse(product.launchDate));
    warnings.push(
      `The launch date, ${text}, has passed, and the site still says "${product.launch}"; change launch and launchDate in app/site.ts, and the milestones in app/pages/roadmap/milestones.ts.`,
    );
  }
  return warnings;
}
