import { env } from "cloudflare:test";

/** The platform's local email binding. Its first sends may fail; it records the recipients of the others. */
export function emailBinding({ failures = 0, code = "E_INTERNAL_SERVER_ERROR" } = {}) {
  const accepted: string[] = [];
  let left = failures;
  const binding: SendEmail = {
    async send(message: EmailMessage | EmailMessageBuilder) {
      if (left > 0) {
        left -= 1;
        throw Object.assign(new Error(`cannot deliver to ${String(message.to)}`), { code });
      }
      const result = await env.EMAIL.send(message as EmailMessageBuilder);
      accepted.push(String(message.to));
      return result;
    },
  };
  return { binding, accepted };
}
