import { formHtml } from "#app/owner/embed/form-html.ts";
import { newsOnly, WORDING_FIELD } from "#app/waitlist/consent-wording.ts";
import { EMBED_PATH } from "#app/waitlist/embedded-form.ts";
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
import { withinOneMinute } from "#tests/support/minute.ts";

needs("embed");

/** Sign-ups a minute that a client has without Turnstile's token, as `wrangler.toml` says. */
const STRICT_LIMIT = 5;

test("beyond the limit of sign-ups without a token, the page's own form gets one and joins", slow, async ({ page }) => {
  // Disposed in reverse: the site keeps its connection open.
  await using verifier = await startVerifier();
  await using guarded = await startSite({ vars: turnstileVars(verifier.url) });
  await using shop = await startOtherSite({ html: formHtml(guarded.url, "shop", newsOnly) });
  await allow(guarded, shop.origin);
  await page.route("https://challenges.cloudflare.com/**", (route) =>
    route.fulfill({ contentType: "text/javascript", body: WIDGET }),
  );
  const form = formOn(page);
  const { run, email } = await withinOneMinute(async (run) => {
    const headers = { "CF-Connecting-IP": `198.51.100.${run}` };
    await page.setExtraHTTPHeaders(headers);
    for (let n = 0; n < STRICT_LIMIT; n += 1) {
      const response = await page.request.post(`${guarded.url}${EMBED_PATH}`, {
        headers: { ...headers, Origin: shop.origin },
        form: { email: `run${run}-${n}@example.com`, source: "shop", [WORDING_FIELD]: newsOnly.version },
      });
      expect(await response.text()).toContain(JOINED);
    }
    const email = `run${run}-last@example.com`;
    await page.goto(shop.origin);
    await page.getByLabel("Your email address").fill(email);
    await page.getByRole("button", { name: "Join the waitlist" }).click();
    await expect(form.message).not.toBeEmpty();
    return { run, email };
  });
  await expect(form.message).toHaveText(messages["rate-limited"]);
  await expect(form.email).toHaveValue(email);
  expect(verifier.used.size).toBe(0);
  await hydrate(page);
  await form.submit(email);
  await expect(form.message).toHaveText(JOINED);
  const entries = (await guarded.rows("waitlist_emails")).filter((entry) =>
    String(entry["email"]).startsWith(`run${run}-`),
  );
  expect(entries.map(({ source, verified }) => [source, verified])).toEqual([
    ...Array(STRICT_LIMIT).fill(["shop", 0]),
    ["shop", 1],
  ]);
  await verifier.stop();
});
