import { parseArgs } from "node:util";

export interface DeployOptions {
  dryRun: boolean;
  /** Where to check the deployed site instead of at SITE_URL. */
  checkAt: string | undefined;
  /** How long to wait for the new version to respond (milliseconds). */
  patience: number;
  /** Where D1 stores its data; permanent. */
  jurisdiction: string | undefined;
  rotateLinkSecret: boolean;
}

export const DEPLOY_HELP = `npm run deploy [-- options]

Checks the settings in deploy.env, builds, creates missing resources at Cloudflare, applies migrations, deploys, and
waits until the new version is healthy. Safe to repeat. docs/deploying.md explains every step.

  --dry-run               build and print the plan; needs no account and changes nothing
  --check-at ADDRESS      check this address instead of SITE_URL, while the domain points elsewhere
  --patience SECONDS      how long to wait for the new version to respond (180)
  --jurisdiction eu       store the database in the European Union; only possible when it is created
  --rotate-link-secret    replace LINK_SECRET; links in emails already sent keep working
  --help                  show this text`;

/**
 * @returns null for `--help`
 * @throws {Error} with a message for the terminal
 */
export function readDeployOptions(args: string[]): DeployOptions | null {
  const { values } = parseArgs({
    args,
    options: {
      "dry-run": { type: "boolean", default: false },
      "check-at": { type: "string" },
      patience: { type: "string", default: "180" },
      jurisdiction: { type: "string" },
      "rotate-link-secret": { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return null;
  const seconds = Number(values.patience);
  if (!(seconds >= 0)) throw new Error(`--patience ${values.patience} is not a number of seconds.`);
  const checkAt = values["check-at"];
  if (checkAt !== undefined && !/^https?:$/.test(URL.parse(checkAt)?.protocol ?? "")) {
    throw new Error(`--check-at ${checkAt} is not an address such as https://example.com.`);
  }
  return {
    dryRun: values["dry-run"],
    checkAt,
    patience: seconds * 1_000,
    jurisdiction: values.jurisdiction,
    rotateLinkSecret: values["rotate-link-secret"],
  };
}
