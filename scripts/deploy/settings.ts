import { parseEnv } from "node:util";
import { parseConfig, variables } from "#app/server/config.server.ts";
import { isSecret, isVariable } from "#scripts/deploy/variables.ts";
import { localVars } from "#scripts/lib/local-vars.ts";

/** What the owner has set, sorted by where it goes. */
export interface Settings {
  vars: Record<string, string>;
  secrets: Record<string, string>;
  /** `CLOUDFLARE_…`: which account, and how to sign in to it. */
  account: Record<string, string>;
}

interface SettingsProblem {
  name: string;
  /** To be read after the name. */
  problem: string;
}

/** Stands in for a `LINK_SECRET` that the deployment will generate. */
const TO_BE_GENERATED = "x".repeat(43);

/**
 * Reads what is to be deployed. What the environment sets counts before the file, as a build service wants it.
 *
 * @param file text of deploy.env, or nothing
 */
export function readSettings(
  file: string,
  environment: NodeJS.ProcessEnv,
): { settings: Settings; problems: SettingsProblem[] } {
  const inFile = parseEnv(file) as Record<string, string>;
  const known = Object.entries({ ...inFile, ...onlyOurs(environment) }).filter(([, value]) => value !== "");
  const settings: Settings = { vars: {}, secrets: {}, account: {} };
  for (const [name, value] of known) {
    if (isAccountName(name)) settings.account[name] = value;
    else if (isSecret(name)) settings.secrets[name] = value;
    else if (isVariable(name)) settings.vars[name] = value;
  }
  const values = { ...settings.vars, ...settings.secrets };
  const unknown = Object.keys(inFile).filter((name) => !isVariable(name) && !isAccountName(name));
  const problems = [
    ...unknown.map((name) => ({ name, problem: "is no variable of this site; deploy.env.example lists them all" })),
    ...parseConfig({ LINK_SECRET: TO_BE_GENERATED, ...values }).problems,
    ...notForVisitors(values),
  ];
  return { settings, problems };
}

/** One line a problem, in the owner's words. */
export function explainProblems(problems: SettingsProblem[]): string {
  return problems
    .map(({ name, problem }) => `  ${name} ${problem}.${isVariable(name) ? ` It is ${variables[name].is}.` : ""}`)
    .join("\n");
}

function onlyOurs(environment: NodeJS.ProcessEnv): Record<string, string> {
  const ours = Object.entries(environment).filter(([name]) => isVariable(name) || isAccountName(name));
  return Object.fromEntries(ours.map(([name, value]) => [name, value ?? ""]));
}

function isAccountName(name: string): boolean {
  return name.startsWith("CLOUDFLARE_");
}

/** Values that only make sense on one's own machine. */
function notForVisitors(values: Record<string, string>): SettingsProblem[] {
  const local = localVars(0);
  return Object.entries(values).flatMap(([name, value]) => {
    if (name === "SITE_URL") return siteUrlProblem(value);
    const isLocal = name !== "MAIL_PER_HOUR" && value.trim() === local[name];
    if (!isLocal && !/@stallwright\.example$/i.test(value.trim())) return [];
    return [{ name, problem: "still has the value that npm start uses on your own machine; give your own" }];
  });
}

function siteUrlProblem(value: string): SettingsProblem[] {
  const url = URL.parse(value);
  if (url === null) return [];
  const { protocol, hostname } = url;
  const problem = /(^|\.)localhost$|^127\.|^\[/.test(hostname)
    ? "is an address of your own machine, which nobody else can open"
    : hostname.endsWith("stallwright.example")
      ? "is an example that leads nowhere; give your own"
      : protocol === "http:"
        ? "must begin with https://, because links in mail and the mail itself need it"
        : null;
  return problem === null ? [] : [{ name: "SITE_URL", problem }];
}
