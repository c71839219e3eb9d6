import { env } from "cloudflare:test";

/** The platform's local mail binding, which fails some sends first, and notes whom the others went to. */
export function emailBinding({ failures = 0, code = "E_INTERNAL_SERVER_ERROR" } = {}) {
  const accepted: string[] = [];
  let left = failures;
  const binding: SendEmail = {
    async send(message: EmailMessage | EmailMessageBuilder) {
      if (left > 0) {
        left -= 1;
        throw Object.assign(new Error(`could not deliver to ${String(message.to)}`), { code });
      }
      const result = await env.EMAIL.send(message as EmailMessageBuilder);
      accepted.push(String(message.to));
      return result;
    },
  };
  return { binding, accepted };
}
