import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { ProviderWebhook } from "#app/email/provider-events.server.ts";
import { applyProviderEvent } from "#app/email/provider-events.server.ts";
import { apiError, onlyPost, respondTooLarge } from "#app/server/http/api-error.server.ts";
import type { AppBindings } from "#app/server/http/bindings.ts";
import { logSampled } from "#app/server/log.ts";

/** Events are a few KB, most of it the receiving server's response. */
const MAX_EVENT_BYTES = 65_536;

/**
 * `POST /api/webhooks/…`: an email provider reports bounces and complaints. Any 2xx status ends its attempts. Authenticated
 * by signature alone, since a server sends no `Origin`.
 */
export function providerWebhook({ secretOf, read }: ProviderWebhook) {
  return new Hono<AppBindings>().all(
    "/",
    async (c, next) => {
      if (secretOf(c.var.app.config) !== undefined) return next();
      return apiError(c, 404, "not-found", "There is no API endpoint at this path.");
    },
    onlyPost,
    bodyLimit({ maxSize: MAX_EVENT_BYTES, onError: respondTooLarge(MAX_EVENT_BYTES) }),
    async (c) => {
      const { app } = c.var;
      const received = read(await c.req.text(), c.req.raw.headers, secretOf(app.config) ?? "");
      if (received.kind === "bad-signature") {
        logSampled("warn", "webhook-refused", { reason: "signature" });
        return apiError(c, 401, "bad-signature", "The signature is missing, wrong or older than five minutes.");
      }
      if (received.kind === "malformed") return apiError(c, 400, "malformed-event", "The body is not an event.");
      if (received.event !== null) await applyProviderEvent(app, received.event);
      return c.json({ ok: true });
    },
  );
}
