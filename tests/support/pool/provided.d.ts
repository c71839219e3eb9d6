import "vitest";

declare module "vitest" {
  /** Provided by `tests/support/resend-setup.ts`. */
  interface ProvidedContext {
    resendUrl: string;
  }
}
