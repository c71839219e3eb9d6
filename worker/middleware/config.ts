import { createMiddleware } from "hono/factory";
import { type Config, describeProblems, parseConfig } from "#app/server/config.server.ts";
import { logWarning } from "#app/server/log.ts";
import { createAppContext } from "#worker/app-context.ts";
import type { AppBindings } from "#worker/types.ts";

/** Bindings do not change while an isolate lives, so neither does what they say. */
const parsed = new WeakMap<Env, ReturnType<typeof parseConfig>>();

/**
 * The configuration of this Worker. Problems are logged by name, once an isolate.
 *
 * @throws when a required value is missing, naming it
 */
export function configOf(env: Env): Config {
  const result = parsed.get(env) ?? parseConfig(env);
  if (!parsed.has(env)) {
    parsed.set(env, result);
    for (const { name, problem, fatal } of result.problems) logWarning("config-problem", { name, problem, fatal });
  }
  if (result.config === null) throw new ConfigError(describeProblems(result.problems.filter(({ fatal }) => fatal)));
  return result.config;
}

/** The same for those who can do without: null where a required value is missing. */
export function configIfValid(env: Env): Config | null {
  try {
    return configOf(env);
  } catch (error) {
    if (error instanceof ConfigError) return null;
    throw error;
  }
}

class ConfigError extends Error {
  override name = "ConfigError";
}

/** Stops a request that cannot be answered without configuration, and hands the others what they work with. */
export const requireConfig = createMiddleware<AppBindings>(async (c, next) => {
  try {
    const config = configOf(c.env);
    c.set("app", createAppContext(c.env, config, c.executionCtx, c.req.header("CF-Connecting-IP")));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return c.text(`This site is not configured yet.\n${error.message}\n`, 500);
  }
  return next();
});
