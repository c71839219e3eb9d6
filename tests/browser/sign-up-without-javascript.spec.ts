import { startSite } from "#scripts/lib/running-site.ts";
import { REFUSED_BY_SERVER } from "#tests/support/browser/sign-up-form.ts";
import { slow, slowUnless } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";

test.use({ javaScriptEnabled: false });

/** The fringe hangs 12 px below the header (CSS pixels). */
const HEADER_WITH_FRINGE = 72;

test("the form accepts a new address and rejects a duplicate and an invalid one", async ({ page, site }) => {
  await page.goto(`${site.url}/?utm_source=fb_ads`);
  const form = page.locator("form#join");
  const email = form.getByPlaceholder("Enter your email");
  const message = form.getByRole("status");
  const submit = async (address: string) => {
    await email.fill(address);
    await form.getByRole("button", { name: "Join Waitlist" }).click();
  };

  await submit("Grace@Example.com");
  await expect(message).toHaveText("Thanks for joining! Please check your email.");
  await expect(email).toHaveValue("");
  await expect(message).toBeInViewport();
  const entries = (await site.rows("waitlist_emails")).filter((row) => row["email"] === "grace@example.com");
  expect(entries).toMatchObject([{ source: "landing_page", status: "active", early_adopter: 1, utm_source: "fb_ads" }]);
  const emails = async () => (await site.sentEmails()).filter(({ to }) => to.includes("grace@example.com"));
  await expect.poll(emails).toHaveLength(1);

  await submit("GRACE@example.com");
  await expect(message).toHaveText("This email is already on our waitlist!");
  await expect(email).toHaveValue("GRACE@example.com");
  await expect(email).toHaveAttribute("aria-invalid", "true");

  await submit(REFUSED_BY_SERVER);
  await expect(message).toHaveText("Please enter a valid email address");
  await expect(email).toHaveValue(REFUSED_BY_SERVER);
  expect(await emails()).toHaveLength(1);
});

test("the form accepts letters beyond ASCII on both sides of the @, and spaces around the address", async ({
  page,
  site,
}) => {
  await page.goto(site.url);
  const form = page.locator("form#join");
  await form.getByPlaceholder("Enter your email").fill(" Søren@Bücher.example ");
  await form.getByRole("button", { name: "Join Waitlist" }).click();
  await expect(form.getByRole("status")).toHaveText("Thanks for joining! Please check your email.");
  const emails = (await site.rows("waitlist_emails")).map((row) => row["email"]);
  expect(emails).toContain("søren@xn--bcher-kva.example");
});

test("phones show the keyboard for addresses, and browsers fill in the visitor's", async ({ page, site }) => {
  await page.goto(site.url);
  const email = page.locator("form#join").getByPlaceholder("Enter your email");
  const typing = { autocapitalize: "none", autocorrect: "off", spellcheck: "false" };
  const attributes = { inputmode: "email", autocomplete: "email", ...typing };
  for (const [name, value] of Object.entries(attributes)) await expect(email).toHaveAttribute(name, value);
});

for (const { width, height } of [
  { width: 320, height: 480 },
  { width: 360, height: 640 },
  { width: 1280, height: 720 },
]) {
  for (const { id, heading } of [
    { id: "join", heading: "h1" },
    { id: "join-help", heading: ".way:has(#join-help) h3" },
  ]) {
    test(
      `after a post of #${id} at ${width} by ${height} px, heading and message are clear of header and banner`,
      slowUnless(width === 360 && id === "join"),
      async ({ page, site }) => {
        await page.setViewportSize({ width, height });
        await page.goto(site.url);
        const form = page.locator(`form#${id}`);
        await form.getByPlaceholder("Enter your email").fill(REFUSED_BY_SERVER);
        await form.getByRole("button").click();
        const message = form.locator(".sign-up-message");
        await expect(message).toHaveText("Please enter a valid email address");
        const free = { top: HEADER_WITH_FRINGE, bottom: (await page.locator(".consent").boundingBox())?.y ?? 0 };
        // Above the lower form in its narrow card there is no room for the heading.
        const hasRoom = height > 480 || id === "join";
        const above = hasRoom ? [page.locator(heading)] : [];
        for (const part of [...above, form.getByPlaceholder("Enter your email"), message]) {
          const { y = 0, height: tall = 0 } = (await part.boundingBox()) ?? {};
          expect(y).toBeGreaterThanOrEqual(free.top);
          expect(y + tall).toBeLessThanOrEqual(free.bottom);
        }
      },
    );
  }
}

test("a database error is shown in the form, which keeps the typed address", slow, async ({ page }) => {
  const broken = await startSite({ migrated: false });
  try {
    await page.goto(broken.url);
    const form = page.locator("form#join");
    await form.getByPlaceholder("Enter your email").fill("ada@example.com");
    await form.getByRole("button").click();
    await expect(form.getByRole("status")).toContainText(/Reference \w{4}-\w{4}/);
    await expect(form.getByPlaceholder("Enter your email")).toHaveValue("ada@example.com");
  } finally {
    await broken.stop();
  }
});
