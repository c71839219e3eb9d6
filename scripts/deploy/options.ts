import { parseArgs } from "node:util";

export interface DeployOptions {
  dryRun: boolean;
  /** Where to ask the deployed site instead of at SITE_URL. */
  checkAt: string | undefined;
  /** How long to wait for the site to answer (milliseconds). */
  patience: number;
  /** Where D1 keeps its data, for good. */
  jurisdiction: string | undefined;
  rotateLinkSecret: boolean;
}

export const DEPLOY_HELP = `npm run deploy [-- options]

Checks the configuration in deploy.env, creates what the account lacks, builds, applies migrations, deploys, and asks
the deployed site how it is. Safe to run again. docs/deploying.md goes through everything around it.

  --dry-run               do all that needs no account, print the plan, change nothing
  --check-at ADDRESS      ask this address instead of SITE_URL, while the domain leads elsewhere
  --patience SECONDS      how long to wait for the deployed site to answer (180)
  --jurisdiction eu       keep the database within the European Union; counts when it is created
  --rotate-link-secret    a new LINK_SECRET; links in mail already sent go on working
  --help                  this text`;

/**
 * @returns null when help was asked for
 * @throws with a sentence for the terminal
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
