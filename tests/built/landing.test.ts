import { describe, expect, test } from "vitest";
import { site } from "#app/site.ts";
import * as switches from "#app/switches.ts";
import { read } from "#tests/support/pool/built.ts";
import { needs } from "#tests/support/pool/start.ts";

const { body } = await read("/");
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
      expect(group).toMatch(/<summary>.*<img class="icon".*group-tagline.*<\/summary>/s);
      const { host, stallholder } = site;
      const count = (label: string) => group.replaceAll("<!-- -->", "").split(`For ${label}`).length - 1;
      expect(count(host.label)).toBeGreaterThanOrEqual(2);
      expect(count(stallholder.label)).toBe(count(host.label));
    }
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
    const links = { SUPPORT_URL: "https://coffee.example/us", FACEBOOK_URL: "https://facebook.com/waitlist-site" };
    const configured = (await read("/", links)).body;
    for (const link of Object.values(links)) {
      expect(body).not.toContain(link);
      expect(configured).toContain(`href="${link}"`);
    }
  });
});

test("links to the contact, the policies, the icons and the manifest", () => {
  const links = [
    "mailto:hello@waitlist-site.example",
    "/privacy",
    "/cookie-policy",
    "/site.webmanifest",
    "/favicon.svg",
  ];
  for (const link of links) expect(body).toContain(`href="${link}"`);
});
