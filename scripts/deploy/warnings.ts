import { type Milestone, milestones } from "#app/pages/roadmap/milestones.ts";
import { readOwnerAddresses } from "#app/server/config-values.server.ts";
import { launchDate, site } from "#app/site.ts";
import { britishDate } from "#app/ui/british-date.ts";
import type { Settings } from "#scripts/deploy/settings.ts";
import type { BuiltWorker } from "#scripts/deploy/worker.ts";

/** The product's name in the repository that forks start from. */
const SAMPLE_NAME = "Stallwright";

interface Product {
  name: string;
  launch: string;
  launchDate: string;
  milestones: readonly Pick<Milestone, "title" | "status">[];
}

/**
 * What the owner may have forgotten to change, one sentence each. A deployment goes on all the same.
 *
 * @param launchUrl the value of `LAUNCH_URL`, if the product is open
 */
export function forgottenChanges(
  launchUrl: string | undefined,
  product: Readonly<Product> = { ...site, launchDate, milestones },
  now = new Date(),
): string[] {
  const warnings: string[] = [];
  if (product.name === SAMPLE_NAME) {
    warnings.push(
      `The site is still called ${SAMPLE_NAME}, as the sample is; docs/make-it-yours.md says how to change it.`,
    );
  }
  if (launchUrl === undefined && product.launchDate < now.toISOString().slice(0, 10)) {
    const { text } = britishDate(Date.parse(product.launchDate));
    warnings.push(
      `The launch date, ${text}, has passed, and the site still says "${product.launch}"; if the product is open, set LAUNCH_URL (docs/launching.md), or change launch and launchDate in app/site.ts, and the milestones in app/pages/roadmap/milestones.ts.`,
    );
  }
  const last = product.milestones.at(-1);
  if (launchUrl !== undefined && last !== undefined && last.status !== "completed") {
    warnings.push(
      `LAUNCH_URL is set, but the roadmap does not show "${last.title}" as completed; change app/pages/roadmap/milestones.ts.`,
    );
  }
  return warnings;
}

/**
 * Warns owners whose sign-in links cannot be sent.
 *
 * @param storedSecrets names of the secrets at Cloudflare
 * @returns null when they can be sent, or when there is no owner
 */
export function ownerEmailWarning(
  { sendsEmail }: Pick<BuiltWorker, "sendsEmail">,
  { vars, secrets }: Pick<Settings, "vars" | "secrets">,
  storedSecrets: string[],
): string | null {
  if (vars["OWNER_EMAIL"] === undefined) return null;
  const hasProvider = sendsEmail || "RESEND_API_KEY" in secrets || storedSecrets.includes("RESEND_API_KEY");
  if (vars["MAIL_FROM"] !== undefined && hasProvider) return null;
  const hasSeveral = readOwnerAddresses(vars["OWNER_EMAIL"]).length > 1;
  const missing =
    vars["MAIL_FROM"] === undefined
      ? "MAIL_FROM is not set"
      : "RESEND_API_KEY is not set, and wrangler.toml has no send_email binding";
  return `OWNER_EMAIL is set, but no email can be sent: ${missing}.
Sign-in links will not arrive. Until they do, print one: npm run owner -- sign-in --remote${hasSeveral ? " --owner ADDRESS" : ""}`;
}
