import { bindingsWith, builtSite, mailbox } from "#tests/support/pool/built.ts";
import { quotaD1 } from "#tests/support/pool/d1.ts";
import { unlimitedRates } from "#tests/support/pool/failures.ts";
import { OWNER } from "#tests/support/pool/owner.ts";
import { playedKv } from "#tests/support/pool/played-kv.ts";

/** An isolate of the site whose database refuses queries, and what it leaves behind. */
export function exhaustedSite(
  replaced: object = {},
  options: Parameters<typeof quotaD1>[0] = { written: 0 },
  own: Record<string, string> = {},
) {
  const { emails, EMAIL } = mailbox();
  const kv = playedKv(() => Date.now());
  const quota = quotaD1(options);
  const bindings = bindingsWith({
    ...unlimitedRates,
    ...{ DB: quota.d1, CACHE: kv.location()(), EMAIL, OWNER_EMAIL: OWNER, RESEND_WEBHOOK_SECRET: "" },
    ...replaced,
  });
  return { ...builtSite(bindings, own), emails, kv, quota, bindings };
}
