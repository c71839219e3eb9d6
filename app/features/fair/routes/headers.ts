import { createMiddleware } from "hono/factory";
import { fair } from "#app/switches.ts";

/** The form at fairs may keep the screen on, and is not for search engines. */
export const fairHeaders = createMiddleware(async (c, next) => {
  await next();
  if (!fair) return;
  c.header("X-Robots-Tag", "noindex");
  const policy = c.res.headers.get("Permissions-Policy");
  if (policy !== null) c.header("Permissions-Policy", policy.replace("screen-wake-lock=()", "screen-wake-lock=(self)"));
});
