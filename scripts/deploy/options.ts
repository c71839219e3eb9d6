import { readOptions, refuse, type Usage } from "#scripts/lib/options.ts";

const usage = {
  command: "npm run deploy",
  summary: `Checks the settings in deploy.env, builds, creates missing resources at Cloudflare, applies migrations, deploys, and
waits until the new version is healthy. Safe to repeat. docs/deploying.md explains every step.`,
  options: {
    "dry-run": { type: "boolean", description: "build and print the plan; needs no account and changes nothing" },
    "check-at": { type: "string", value: "ADDRESS", description: "check this address instead of SITE_URL" },
    patience: { type: "number", value: "SECONDS", description: "how long to wait for the new version", default: 180 },
    jurisdiction: { type: "string", value: "eu", description: "where a new database must store its data, for good" },
    "rotate-link-secret": { type: "boolean", description: "replace LINK_SECRET; links already sent keep working" },
    "revoke-link-secret": {
      type: "boolean",
      description: "replace a leaked LINK_SECRET; links already sent stop working",
    },
  },
} as const satisfies Usage;

/** Parses the command line; explains a mistake and exits. */
export function readDeployOptions() {
  const { values } = readOptions(usage);
  const checkAt = values["check-at"];
  if (checkAt !== undefined && !/^https?:$/.test(URL.parse(checkAt)?.protocol ?? "")) {
    refuse(usage, `--check-at ${checkAt} is not an address such as https://example.com.`);
  }
  if (values["rotate-link-secret"] && values["revoke-link-secret"]) {
    refuse(usage, "--rotate-link-secret and --revoke-link-secret exclude each other.");
  }
  return values;
}
