import { env } from "cloudflare:test";
import { refusalOf, type StrictAccount } from "#tests/support/pool/email-rules.ts";

interface BindingOptions extends StrictAccount {
  /** How many of the first sends fail, and with which code. */
  failures?: number;
  code?: string;
}

/**
 * The platform's local email binding, which refuses what the real one refuses. Its first sends may fail; it records the
 * recipients of the others.
 */
export function emailBinding({ failures = 0, code = "E_DELIVERY_FAILED", ...account }: BindingOptions = {}) {
  const accepted: string[] = [];
  let left = failures;
  const refuse = (message: string, code: string) => Object.assign(new Error(message), { code });
  const binding: SendEmail = {
    async send(message: EmailMessage | EmailMessageBuilder) {
      if (left > 0) {
        left -= 1;
        throw refuse(`cannot deliver to ${String(message.to)}`, code);
      }
      const refusal = refusalOf(message as EmailMessageBuilder, account, accepted.length);
      if (refusal !== null) {
        const { suppression = `refused for ${String(message.to)}` } = account;
        throw refuse(refusal === "E_RECIPIENT_SUPPRESSED" ? suppression : `refused for ${String(message.to)}`, refusal);
      }
      const result = await env.EMAIL.send(message as EmailMessageBuilder);
      accepted.push(String(message.to));
      return result;
    },
  };
  return { binding, accepted };
}
