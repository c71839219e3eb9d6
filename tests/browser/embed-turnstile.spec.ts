import { formHtml } from "#app/owner/embed/form-html.ts";
import { messages } from "#app/waitlist/messages.ts";
import { hydrate } from "#scripts/lib/hydrated.ts";
import { startSite } from "#scripts/lib/running-site.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { allow, startOtherSite } from "#tests/support/browser/other-site.ts";
import { formOn } from "#tests/support/browser/sign-up-form.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";
import { JOINED } from "#tests/support/browser/ticket.ts";
import { startVerifier, turnstileVars, WIDGET } from "#tests/support/browser/turnstile.ts";

needs("embed");

/** Sign-ups a minute that a client has without Turnstile's token, as `wrangler.toml` says. */
const STRICT_LIMIT = 5;

test("beyond the limit of sign-ups without a token, the page's own form gets one and joins", slow, async ({ page }) => {
  // Disposed in reverse: the site keeps its connection open.
  await using verifier = await startVerifier();
  await using guarded = await startSite({ vars: turnstileVars(verifier.url) });
  await using shop = await startOtherSite({ html: formHtml(guarded.url, "shop") });
  await allow(guarded, shop.origin);
  await page.route("https://challenges.cloudflare.com/**", (route) =>
    route.fulfill({ contentType: "text/javascript", body: WIDGET }),
  );
  const form = formOn(page);
  for (let n = 0; n <= STRICT_LIMIT; n += 1) {
    await page.goto(shop.origin);
    await page.getByLabel("Your email address").fill(`ada${n}@example.com`);
    await page.getByRole("button", { name: "Join the waitlist" }).click();
    await expect(form.message).toHaveText(n < STRICT_LIMIT ? JOINED : messages["rate-limited"]);
  }
  await expect(form.email).toHaveValue(`ada${STRICT_LIMIT}@example.com`);
  expect(verifier.used.size).toBe(0);
  await hydrate(page);
  await form.submit(`ada${STRICT_LIMIT}@example.com`);
  await expect(form.message).toHaveText(JOINED);
  const entries = await guarded.rows("waitlist_emails");
  expect(entries.map(({ source, verified }) => [source, verified])).toEqual([
    ...Array(STRICT_LIMIT).fill(["shop", 0]),
    ["shop", 1],
  ]);
  await verifier.stop();
});
