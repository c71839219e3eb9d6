import type { Page, Request } from "@playwright/test";
import { blogSection, startBlogSite } from "#tests/support/browser/blog-site.ts";
import { ghostPost, posts } from "#tests/support/browser/ghost-server.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";

/** Breaks out of text, quoted attributes, scripts and titles, then tries every kind of injection. */
const PAYLOAD =
  `"'></title></script></textarea><script>planted()</script><img src=x onerror=planted()>` +
  `<svg onload=planted()></svg><iframe srcdoc="<script>parent.planted()</script>"></iframe>` +
  `<style>main{display:none}</style><link rel=stylesheet href=//evil.example/x.css><base href=//evil.example/>`;

/** How often planted code has run. A counter, because an error thrown in an exposed function fails no test. */
let ran = 0;
test.beforeEach(async ({ context }) => {
  ran = 0;
  await context.exposeFunction("planted", () => {
    ran += 1;
  });
  context.on("page", (page) => page.on("request", expectSameSite));
});
test.afterEach(() => expect(ran).toBe(0));

/** The `test` fixture expects no CSP violations either: the browser never even tries to run text. */
async function expectNoInjection(page: Page): Promise<void> {
  expect(await page.locator("iframe, base, svg[onload], img[onerror], link[href*='evil']").count()).toBe(0);
  await expect(page.getByRole("main")).toBeVisible();
}

function expectSameSite(request: Request): void {
  expect(new URL(request.url()).hostname).toBe("localhost");
}

test("form fields accept the payload and show it as text", async ({ page, site }) => {
  needs("waysToHelp");
  for (const form of ["#join", "#join-help"]) {
    await page.goto(`${site.url}/?utm_source=${encodeURIComponent(PAYLOAD)}&utm_campaign=fb`);
    await page.locator(form).evaluate((element, payload) => {
      // Past the browser's own check, which would not send it.
      (element as HTMLFormElement).noValidate = true;
      for (const field of element.querySelectorAll("input")) {
        if (field.type === "hidden") field.value = payload;
      }
    }, PAYLOAD);
    const field = page.locator(form).getByPlaceholder("Enter your email");
    await field.fill(PAYLOAD);
    await page.locator(form).getByRole("button").click();
    await expect(page.getByText("Please enter a valid email address").first()).toBeVisible();
    // The response to an invalid source is shown in the first form.
    const typed = page.getByPlaceholder("Enter your email");
    await expect
      .poll(() => typed.evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value)))
      .toContain(PAYLOAD);
    await expectNoInjection(page);
  }
});

test("payloads in paths, queries and fragments are not executed", async ({ page, site }) => {
  const text = encodeURIComponent(PAYLOAD);
  for (const path of [`/${text}`, `/?cookies=${text}`, `/?x=${text}#${text}`, `/your-data/${text}`, `/blog/${text}`]) {
    await page.goto(site.url + path);
    await expectNoInjection(page);
  }
});

test("payloads in the consent cookie are ignored", async ({ page, context, site }) => {
  const choice = JSON.stringify({ necessary: PAYLOAD, analytics: PAYLOAD, marketing: true, v: PAYLOAD });
  for (const value of [encodeURIComponent(PAYLOAD), encodeURIComponent(choice)]) {
    await context.addCookies([{ name: "cookiePreferences", value, url: site.url }]);
    await page.goto(site.url);
    await expectNoInjection(page);
  }
});

test("a valid but hostile address can join, and its email and page show it as text", async ({ page, site }) => {
  // Addresses may contain all of these characters, and browsers decode entities without a semicolon.
  const email = "'onload='planted`1`'&ltsvg/onload=1&gt{{7*7}}@evil.example";
  await page.goto(site.url);
  await page.locator("#join").getByPlaceholder("Enter your email").fill(email);
  await page.locator("#join").getByRole("button").click();
  await expect(page.getByText("Thanks for joining! Please check your email.")).toBeVisible();
  const { html, text } = await site.emailTo(email);
  expect(html).not.toMatch(/<svg/);
  const link = /http\S+\/your-data\/\S+/.exec(text)?.[0] ?? "";
  await page.goto(link);
  await expectNoInjection(page);
});

test("payloads in posts from Ghost are shown as text or not at all", slow, async ({ page }) => {
  needs("blog");
  const hostile = Object.fromEntries(
    ["title", "excerpt", "feature_image", "published_at", "id", "slug", "custom_excerpt", "html"].map((field) => {
      return [field, PAYLOAD];
    }),
  );
  const authors = [{ name: PAYLOAD, slug: PAYLOAD, url: "javascript:planted()", profile_image: PAYLOAD }];
  const tags = [{ name: PAYLOAD, slug: PAYLOAD, visibility: PAYLOAD, url: "javascript:planted()" }];
  await using site = await startBlogSite(
    posts(
      ghostPost({ ...hostile, authors, tags, url: `https://blog.example/${PAYLOAD}` }),
      ghostPost({ title: "Stallholder".repeat(46), url: "https://blog.example/long" }),
      ghostPost({ title: "Leads to a script", url: "javascript:planted()" }),
      ghostPost({ title: "Leads to data", url: `data:text/html,${PAYLOAD}`, feature_image: "javascript:planted()" }),
    ),
  );
  await site.fetchPosts();
  await page.goto(site.url);
  const blog = blogSection(page);
  await expect(blog).toContainText("</script>");
  // However long a title is.
  for (const heading of await blog.getByRole("heading", { level: 3 }).all())
    expect((await heading.boundingBox())?.height).toBeLessThan(120);
  await expectNoInjection(page);
  const targets = await page
    .locator("a")
    .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).protocol));
  expect(new Set(targets)).toEqual(new Set(["http:", "https:", "mailto:"]));
});
