import { parseOptions, type Usage } from "#scripts/lib/options.ts";

export interface DeployOptions {
  dryRun: boolean;
  /** Where to check the deployed site instead of at SITE_URL. */
  checkAt: string | undefined;
  /** How long to wait for the new version to respond (milliseconds). */
  patience: number;
  /** Where D1 stores its data; permanent. */
  jurisdiction: string | undefined;
  /** What to do with LINK_SECRET. */
  linkSecret: "keep" | "rotate" | "revoke";
}

/** How to call `npm run deploy`. */
export const deployUsage = {
  command: "npm run deploy",
  summary: `Checks the settings in deploy.env, builds, creates missing resources at Cloudflare, applies migrations, deploys, and
waits until the new version is healthy. Safe to repeat. docs/deploying.md explains every step.`,
  options: {
    "dry-run": { type: "boolean", description: "build and print the plan; needs no account and changes nothing" },
    "check-at": {
      type: "string",
      value: "ADDRESS",
      description: "check this address instead of SITE_URL, while the domain points elsewhere",
    },
    patience: {
      type: "number",
      value: "SECONDS",
      description: "how long to wait for the new version to respond",
      default: 180,
    },
    jurisdiction: {
      type: "string",
      value: "eu",
      description: "store the database in the European Union; only possible when it is created",
    },
    "rotate-link-secret": {
      type: "boolean",
      description: "replace LINK_SECRET; links in emails already sent keep working",
    },
    "revoke-link-secret": {
      type: "boolean",
      description: "replace a leaked LINK_SECRET; links already sent stop working, except those to unsubscribe",
    },
  },
} as const satisfies Usage;

/** @throws {Error} with a message for the terminal */
export function readDeployOptions(args: string[]): DeployOptions {
  const { values } = parseOptions(deployUsage, args);
  const checkAt = values["check-at"];
  if (checkAt !== undefined && !/^https?:$/.test(URL.parse(checkAt)?.protocol ?? "")) {
    throw new Error(`--check-at ${checkAt} is not an address such as https://example.com.`);
  }
  const [rotate, revoke] = [values["rotate-link-secret"], values["revoke-link-secret"]];
  if (rotate && revoke) throw new Error("--rotate-link-secret and --revoke-link-secret exclude each other.");
  return {
    dryRun: values["dry-run"],
    checkAt,
    patience: values.patience * 1_000,
    jurisdiction: values.jurisdiction,
    linkSecret: revoke ? "revoke" : rotate ? "rotate" : "keep",
  };
}
