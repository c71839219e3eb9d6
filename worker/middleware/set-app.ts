import { createMiddleware } from "hono/factory";
import { createAppContext } from "#worker/app-context.ts";
import { ConfigError } from "#worker/config.ts";
import type { AppBindings } from "#worker/types.ts";

const ADVICE = `npm start sets these variables on your own machine, and npm run deploy sets them at Cloudflare.
For plain wrangler dev, copy .dev.vars.example to .dev.vars and remove the # from their lines.`;

/** Sets `c.var.app`, or responds with 500 if the configuration is invalid. */
export const setApp = createMiddleware<AppBindings>(async (c, next) => {
  try {
    c.set("app", createAppContext(c.env, c.executionCtx, c.req.header("CF-Connecting-IP")));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return c.text(`This site is not configured yet.\n${error.message}\n\n${ADVICE}\n`, 500);
  }
  return next();
});
