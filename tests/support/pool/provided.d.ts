import "vitest";

declare module "vitest" {
  /** Provided by `tests/support/resend-setup.ts`. */
  interface ProvidedContext {
    resendUrl: string;
    /** Provided by `tests/features/webhooks/global-setup.ts`. */
    webhookReceiverUrl: string;
  }
}
