import { createMiddleware } from "hono/factory";
import { type Config, describeProblems, parseConfig } from "#app/server/config.server.ts";
import { logWarning, redactAddresses } from "#app/server/log.ts";
import { createAppContext } from "#worker/app-context.ts";
import type { AppBindings } from "#worker/types.ts";

/** Variables do not change during an isolate's lifetime. */
const parsed = new WeakMap<Env, ReturnType<typeof parseConfig>>();

/**
 * The parsed configuration. Logs problems by name, once per isolate.
 *
 * @throws {@link ConfigError} if a required value is missing or malformed
 */
export function getConfig(env: Env): Config {
  const result = parsed.get(env) ?? parseOnce(env);
  if (result.config === null) throw new ConfigError(describeProblems(result.problems.filter(({ fatal }) => fatal)));
  return result.config;
}

function parseOnce(env: Env) {
  const result = parseConfig(env);
  parsed.set(env, result);
  for (const { name, problem, fatal } of result.problems) {
    logWarning("config-problem", { name, problem: redactAddresses(problem), fatal });
  }
  return result;
}

/** Like {@link getConfig}, but null instead of an error. */
export function getConfigIfValid(env: Env): Config | null {
  try {
    return getConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return null;
    throw error;
  }
}

const ADVICE = `npm start sets these variables on your own machine, and npm run deploy sets them at Cloudflare.
For plain wrangler dev, copy .dev.vars.example to .dev.vars and remove the # from their lines.`;

class ConfigError extends Error {
  override name = "ConfigError";
}

/** Sets `c.var.app`, or responds with 500 if the configuration is invalid. */
export const requireConfig = createMiddleware<AppBindings>(async (c, next) => {
  try {
    const config = getConfig(c.env);
    c.set("app", createAppContext(c.env, config, c.executionCtx, c.req.header("CF-Connecting-IP")));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return c.text(`This site is not configured yet.\n${error.message}\n\n${ADVICE}\n`, 500);
  }
  return next();
});
