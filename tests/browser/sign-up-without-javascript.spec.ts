import { needs } from "#tests/support/browser/needs.ts";
import { formOn, REFUSED_BY_SERVER } from "#tests/support/browser/sign-up-form.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";
import { HEADER_WITH_FRINGE } from "#tests/support/browser/ticket.ts";

test.use({ javaScriptEnabled: false });

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

  await formOn(page).again.click();
  await submit("GRACE@example.com");
  await expect(message).toHaveText("This email is already on our waitlist!");
  await expect(email).toHaveValue("GRACE@example.com");
  await expect(email).toHaveAttribute("aria-invalid", "true");

  await submit(REFUSED_BY_SERVER);
  await expect(message).toHaveText("Please enter a valid email address");
  await expect(email).toHaveValue(REFUSED_BY_SERVER);
  expect(await emails()).toHaveLength(1);
});

for (const { width, height, id, when } of [
  // The form of a fork may have one more field, for which this screen has no room.
  { width: 320, height: 480, id: "join", when: slow },
  { width: 360, height: 640, id: "join", when: {} },
  { width: 360, height: 640, id: "join-help", when: {} },
  { width: 1280, height: 720, id: "join", when: {} },
]) {
  const name = `after a refused post of #${id} at ${width} by ${height} px, heading, field and message are clear of the rest`;
  test(name, when, async ({ page, site }) => {
    if (id === "join-help") needs("waysToHelp");
    await page.setViewportSize({ width, height });
    await page.goto(site.url);
    const form = page.locator(`form#${id}`);
    await form.getByPlaceholder("Enter your email").fill(REFUSED_BY_SERVER);
    await form.getByRole("button").click();
    const message = form.locator(".sign-up-message");
    await expect(message).toHaveText("Please enter a valid email address");
    const free = { top: HEADER_WITH_FRINGE, bottom: (await page.locator(".consent").boundingBox())?.y ?? 0 };
    const heading = page.locator(id === "join" ? "h1" : ".way:has(#join-help) h3");
    for (const part of [heading, form.getByPlaceholder("Enter your email"), message]) {
      const { y = 0, height: tall = 0 } = (await part.boundingBox()) ?? {};
      expect(y).toBeGreaterThanOrEqual(free.top);
      expect(y + tall).toBeLessThanOrEqual(free.bottom);
    }
  });
}

test("the second form shows its own message and records its own source", async ({ page, site }) => {
  needs("waysToHelp");
  await page.goto(`${site.url}/?utm_source=leaflet`);
  const form = page.locator("form#join-help");
  await form.getByPlaceholder("Enter your email").fill("helper@example.com");
  await form.getByRole("button", { name: "Join Waitlist" }).click();
  await expect(form.getByRole("status")).toHaveText("Thanks for joining! Please check your email.");
  await expect(form.getByRole("status")).toBeInViewport();
  await expect(page.locator("form#join .sign-up-message")).toHaveText("");
  const entries = (await site.rows("waitlist_emails")).filter((row) => row["email"] === "helper@example.com");
  expect(entries).toMatchObject([{ source: "ways_to_help_section", utm_source: "leaflet" }]);
});
