import { describe, expect, test } from "vitest";
import { site } from "#app/site.ts";
import * as switches from "#app/switches.ts";
import { read } from "#tests/support/pool/built-page.ts";
import { needs } from "#tests/support/pool/needs.ts";

const { body, text } = await read("/");
const main = /<main.*<\/main>/s.exec(body)?.[0] ?? "";

/** The specification's landing page, from top to bottom. */
const order = [
  switches.largeLogo ? 'class="large-logo' : [],
  switches.benefits ? ["Join Our Community", "Early Access", "Shape The Future"] : [],
  switches.product ? ["What is the product?", site.host.title, site.stallholder.title] : [],
  switches.features
    ? ["But what will it do?", "A Smart Matching System", "Admin Automation", "Achievement, Reward and Trust Building"]
    : [],
  switches.waysToHelp ? "Ways you can help" : [],
  "The owner reads every email",
].flat();

test("has the sections of the specification, in order", () => {
  const positions = order.map((text) => body.indexOf(text));
  expect(positions).not.toContain(-1);
  expect(positions).toEqual(positions.toSorted((a, b) => a - b));
});

describe("the features", () => {
  needs("features", "benefits");

  test("are an accordion of three closed groups, each with a tagline, an icon and text for both sides", () => {
    const groups = main.match(/<details.*?<\/details>/gs) ?? [];
    expect(groups).toHaveLength(3);
    for (const group of groups) {
      expect(group).toMatch(/^<details(?![^>]*\sopen)[^>]*name="features"/);
      expect(group).toMatch(/<summary>.*<svg.*group-tagline.*<\/summary>/s);
      const { host, stallholder } = site;
      const count = (label: string) => group.replaceAll("<!-- -->", "").split(`For ${label}`).length - 1;
      expect(count(host.label)).toBeGreaterThanOrEqual(2);
      expect(count(stallholder.label)).toBe(count(host.label));
    }
  });

  test("come with what is free, what is not, and when it launches", () => {
    expect(text).toMatch(/always be free.*premium tier/);
    if (site.launch !== null) expect(text.split(site.launch).length - 1).toBeGreaterThanOrEqual(2);
  });
});

describe("the ways to help", () => {
  needs("waysToHelp");

  test("make two forms on the page, each with its source and a link to the privacy page", () => {
    const forms = main.match(/<form.*?<\/form>/gs) ?? [];
    const sources = forms.map((form) => /name="source" value="(\w+)"/.exec(form)?.[1]);
    expect(sources).toEqual(["landing_page", "ways_to_help_section"]);
    for (const form of forms) expect(form).toMatch(/sign-up-promise.*href="\/privacy"/s);
  });

  test("show the support row and the Facebook link only when configured", async () => {
    expect(body).not.toMatch(/coffee|facebook\.com\/waitlist-site/i);
    const vars = { SUPPORT_URL: "https://coffee.example/us", FACEBOOK_URL: "https://facebook.com/waitlist-site" };
    const configured = await read("/", vars);
    expect(configured.body).toContain('href="https://coffee.example/us"');
    expect(configured.body).toContain('href="https://facebook.com/waitlist-site"');
    expect(configured.text).toMatch(/coffee/);
  });
});

test("links to the contact, the policies, the icons and the manifest", () => {
  for (const link of [
    "mailto:hello@waitlist-site.example",
    "/privacy",
    "/cookie-policy",
    "/site.webmanifest",
    "/favicon.svg",
  ]) {
    expect(body).toContain(`href="${link}"`);
  }
});
