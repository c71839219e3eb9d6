import { createMiddleware } from "hono/factory";

/** Of a body that nobody wanted, this much is read (bytes); whoever sends more loses the connection. */
const MAX_DRAINED = 1_048_576;

/**
 * Reads what an early answer left of a request's body. A connection that is kept open would otherwise begin the next
 * request in the middle of this one's body: `wrangler dev` then fails it.
 */
export const drainBody = createMiddleware(async (c, next) => {
  await next();
  const { body, bodyUsed } = c.req.raw;
  if (body === null || bodyUsed || body.locked) return;
  let drained = 0;
  for await (const chunk of body) {
    drained += chunk.byteLength;
    if (drained > MAX_DRAINED) break;
  }
});
