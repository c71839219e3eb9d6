import { createMiddleware } from "hono/factory";

/** Beyond this the client loses its connection. */
const MAX_DRAINED_BYTES = 1_048_576;

/**
 * Reads the rest of a request's body after an early response. On a keep-alive connection unread bytes would precede the
 * next request, which `wrangler dev` then fails.
 */
export const drainBody = createMiddleware(async (c, next) => {
  await next();
  if (c.req.raw.bodyUsed) return;
  const { body } = c.req.raw;
  if (body === null || body.locked) return;
  let drained = 0;
  for await (const chunk of body) {
    drained += chunk.byteLength;
    if (drained > MAX_DRAINED_BYTES) break;
  }
});
