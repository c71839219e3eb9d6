import { parseEnv } from "node:util";
import {
  type Config,
  type ConfigProblem,
  launchUrlProblem,
  parseConfig,
  variables,
} from "#app/server/config/config.server.ts";
import { isPublishedSecret, PUBLISHED_SECRET } from "#app/server/config/local-secrets.server.ts";
import { generatedSecrets } from "#scripts/deploy/settings-file.ts";
import { localVars } from "#scripts/lib/local-vars.ts";

/** The owner's settings, by destination. */
export interface Settings {
  vars: Record<string, string>;
  secrets: Record<string, string>;
  /** `CLOUDFLARE_…`: the account and its token. */
  account: Record<string, string>;
}

type SettingsProblem = Pick<ConfigProblem, "name" | "problem">;

/** A valid placeholder for the secrets that the deployment will generate. */
const placeholders = Object.fromEntries(generatedSecrets.map((name) => [name, "x".repeat(43)]));

/**
 * Reads and validates the settings. The environment takes precedence over the file, for build services, and the file over
 * wrangler.toml.
 *
 * @param file text of deploy.env, or empty
 * @param configured the variables in wrangler.toml
 */
export function readSettings(
  file: string,
  environment: NodeJS.ProcessEnv,
  configured: Record<string, unknown> = {},
): { settings: Settings; problems: SettingsProblem[] } {
  const inFile = parseEnv(file) as Record<string, string>;
  const settings: Settings = { vars: {}, secrets: {}, account: {} };
  for (const [name, value] of [configured, inFile, environment].flatMap((source) => Object.entries(source))) {
    const text = String(value ?? "");
    if (text === "") continue;
    if (name.startsWith("CLOUDFLARE_")) settings.account[name] = text;
    else if (isSecret(name)) settings.secrets[name] = text;
    else if (isVariable(name)) settings.vars[name] = text;
  }
  const values = { ...settings.vars, ...settings.secrets };
  const unknown = Object.keys({ ...configured, ...inFile }).filter(
    (name) => !isVariable(name) && !accountSettings.includes(name),
  );
  const malformed = parseConfig({ ...placeholders, ...values }).problems;
  const problems = [
    ...unknown.map((name) => ({ name, problem: "is not a setting of this site; deploy.env.example lists them all" })),
    ...malformed,
    ...Object.entries(values).flatMap(([name, value]) => {
      const problem = siteProblem(name, value, values["SITE_URL"]);
      return problem === undefined || malformed.some((one) => one.name === name) ? [] : [{ name, problem }];
    }),
  ];
  return { settings, problems };
}

/** Others from a file, such as another address of the API, could send the token elsewhere. */
const accountSettings = ["CLOUDFLARE_ACCOUNT_ID", "CLOUDFLARE_API_TOKEN"];

/** One line per problem, for the owner. */
export function explainProblems(problems: SettingsProblem[]): string {
  return problems
    .map(({ name, problem }) => `  ${name} ${problem}.${isVariable(name) ? ` It is ${variables[name].is}.` : ""}`)
    .join("\n");
}

function isVariable(name: string): name is keyof Config {
  return Object.hasOwn(variables, name);
}

export function isSecret(name: string): boolean {
  return isVariable(name) && variables[name].secret === true;
}

/** The sample's own addresses, and those that no visitor can open. Emails and their links need https. */
const localOrigin = /^http:|[/.](localhost|waitlist-site\.example)(:|$)|\/127\.|\/\[/;

/** Bytes. https://developers.cloudflare.com/workers/platform/limits/#environment-variables */
const MAX_SIZE = 5_000;

/** What is wrong with a value that is valid elsewhere, as a phrase that follows its name. */
function siteProblem(name: string, value: string, siteUrl = ""): string | undefined {
  if (Buffer.byteLength(value) > MAX_SIZE) return "is longer than the 5 KB that Cloudflare stores";
  const url = URL.parse(value);
  if (name === "SITE_URL" && localOrigin.test(url?.origin ?? "")) {
    return "must be an https:// address of your own, which visitors can open";
  }
  const launchProblem = name === "LAUNCH_URL" ? launchUrlProblem(value, siteUrl) : null;
  if (launchProblem !== null) return launchProblem;
  // Also where SITE_URL is none of a public site: the Worker has an address of its own on workers.dev.
  if (isPublishedSecret(value.trim())) return PUBLISHED_SECRET;
  const isLocal = name !== "MAIL_PER_HOUR" && value.trim() === localVars(0)[name];
  if (!isLocal && !/@waitlist-site\.example$/i.test(value.trim())) return;
  return "still has the value for local use; replace it with your own";
}

/**
 * Warns owners whose sign-in links cannot be sent.
 *
 * @param sendsEmail whether Cloudflare's email service is bound
 * @param secretNames the secrets in the settings and at Cloudflare
 */
export function ownerEmailWarning(vars: Settings["vars"], sendsEmail: boolean, secretNames: string[]): string | null {
  const canSend = vars["MAIL_FROM"] !== undefined && (sendsEmail || secretNames.includes("RESEND_API_KEY"));
  if (canSend || vars["OWNER_EMAIL"] === undefined) return null;
  return `OWNER_EMAIL is set, but no email can be sent without MAIL_FROM, and RESEND_API_KEY or a send_email binding.
Sign-in links will not arrive. Until they do, print one: npm run owner -- sign-in --remote`;
}
