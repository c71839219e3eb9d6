import { expect, test } from "vitest";
import { campaignFromSearch, campaignValue, referrerHost } from "#app/waitlist/entries/campaign.ts";

test("reads only the five UTM parameters from a page's query", () => {
  const search = "utm_source=fb_ads&utm_medium=paid&utm_campaign=spring&utm_term=stall&utm_content=b&fbclid=1";
  expect(campaignFromSearch(new URLSearchParams(search))).toEqual({
    utm_source: "fb_ads",
    utm_medium: "paid",
    utm_campaign: "spring",
    utm_term: "stall",
    utm_content: "b",
  });
});

test("trims values, truncates them at 100 characters, and replaces control characters and lone surrogates", () => {
  const long = "🧵".repeat(150);
  const values = [" a\0b\n ", long, "\ud800", "  "];
  expect(values.map(campaignValue)).toEqual(["a b", "🧵".repeat(100), "\ufffd", null]);
});

test("the referrer is another site's host, without its path", () => {
  expect(referrerHost("https://news.example/a?b=c", "waitlist-site.example")).toBe("news.example");
  expect(referrerHost("https://waitlist-site.example/", "waitlist-site.example")).toBeUndefined();
  expect(referrerHost("", "waitlist-site.example")).toBeUndefined();
});
