import { variables } from "#app/server/config.server.ts";
import { migrationNames } from "#scripts/deploy/migrations.ts";
import { generatedSecrets, keepsFiles } from "#scripts/deploy/secrets.ts";
import type { Settings } from "#scripts/deploy/settings.ts";
import type { BuiltWorker } from "#scripts/deploy/worker.ts";

/** Lists the variables that are set, and what happens without the others. */
export function describeSettings({ vars, secrets }: Settings): string {
  const set = [...Object.keys(vars), ...Object.keys(secrets).map((name) => `${name} (secret)`)];
  const off = Object.entries(variables).filter(
    ([name, { unset }]) => unset !== undefined && !(name in vars) && !(name in secrets),
  );
  return [
    "Set:",
    ...set.map((name) => `  ${name}`),
    "Not set:",
    ...off.map(([name, { unset }]) => `  ${name.padEnd(20)} ${unset}`),
  ].join("\n");
}

/** Lists the steps of a deployment, in order. */
export function describePlan(worker: BuiltWorker, { vars, secrets }: Settings, checkAt: string): string {
  const domain = new URL(vars["SITE_URL"] ?? "").host;
  const steps = [
    `D1 database ${worker.database}: create it if it does not exist`,
    `KV namespace ${worker.namespace}: create it if it does not exist`,
    ...generatedSecrets.map((name) => `${name}: ${name in secrets ? "use the one in the settings" : GENERATED}`),
    `Migrations: apply the new ones of ${migrationNames().join(", ")}`,
    `Worker ${worker.name}: deploy it to ${domain} with these settings`,
    `Check ${checkAt}/healthcheck until this version responds`,
  ];
  return ["Plan:", ...steps.map((step, index) => `  ${index + 1}. ${step}`)].join("\n");
}

const GENERATED = `if Cloudflare has none, generate one${keepsFiles ? " and save it in deploy.env" : ""}`;
