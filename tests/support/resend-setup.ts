/// <reference path="./pool/provided.d.ts" />
import type { TestProject } from "vitest/node";
import { startFakeResend } from "#scripts/lib/resend-server.ts";

/** Starts a fake Resend outside workerd, so that its real `fetch` and a real HTTP server meet. */
export default async function setup({ provide }: TestProject) {
  const { url, stop } = await startFakeResend();
  provide("resendUrl", url);
  return stop;
}
