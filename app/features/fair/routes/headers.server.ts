import { createMiddleware } from "hono/factory";

/** The form at fairs may keep the screen on, and is not for search engines. */
export const fairHeaders = createMiddleware(async (c, next) => {
  await next();
  c.header("X-Robots-Tag", "noindex");
  const policy = c.res.headers.get("Permissions-Policy");
  if (policy !== null) c.header("Permissions-Policy", policy.replace("screen-wake-lock=()", "screen-wake-lock=(self)"));
});
