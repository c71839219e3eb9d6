import type { TemplateProps } from "#app/email/render-email.server.ts";
import { site } from "#app/site.ts";

/** Who sends an email, with the postal address on one line. */
export function senderLine({ name, address }: TemplateProps["controller"]): string {
  return `Sent by ${site.name}: ${name}, ${address.replace(/\s*\n\s*/g, ", ")}.`;
}
