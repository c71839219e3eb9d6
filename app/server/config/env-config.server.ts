import { type Config, describeProblems, parseConfig } from "#app/server/config/config.server.ts";
import { logWarning, redactAddresses } from "#app/server/log.ts";
import { perEnv } from "#app/server/per-env.ts";

/** Logs problems by name. Variables do not change during an isolate's lifetime. */
const parse = perEnv((env: Env) => {
  const result = parseConfig(env);
  for (const { name, problem, fatal } of result.problems) {
    logWarning("config-problem", { name, problem: redactAddresses(problem), fatal });
  }
  return result;
});

/** @throws {@link ConfigError} if a required value is missing or malformed */
export function getConfig(env: Env): Config {
  const { config, problems } = parse(env);
  if (config === null) throw new ConfigError(describeProblems(problems.filter(({ fatal }) => fatal)));
  return config;
}

export function getConfigIfValid(env: Env): Config | null {
  return parse(env).config;
}

export class ConfigError extends Error {
  override name = "ConfigError";
}
