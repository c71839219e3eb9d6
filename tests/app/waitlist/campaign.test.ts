import { expect, test } from "vitest";
import { campaignFromSearch, campaignValue, referrerHost } from "#app/waitlist/campaign.ts";

test("the five parameters are read from a page's address, and nothing else", () => {
  const search = "utm_source=fb_ads&utm_medium=paid&utm_campaign=spring&utm_term=stall&utm_content=b&fbclid=1";
  expect(campaignFromSearch(new URLSearchParams(search))).toEqual({
    utm_source: "fb_ads",
    utm_medium: "paid",
    utm_campaign: "spring",
    utm_term: "stall",
    utm_content: "b",
  });
});

test("values are trimmed, cut at 100 characters, and freed of control characters and broken ones", () => {
  const long = "🧵".repeat(150);
  const values = [" a\0b\n ", long, "\ud800", "  "];
  expect(values.map(campaignValue)).toEqual(["a b", "🧵".repeat(100), "\ufffd", null]);
});

test("values that are not text are left out", () => {
  expect([1, null, ["x"], {}].map(campaignValue)).toEqual([null, null, null, null]);
});

test("the referring host is another site's, without its path", () => {
  expect(referrerHost("https://news.example/a?b=c", "stallwright.example")).toBe("news.example");
  expect(referrerHost("https://stallwright.example/", "stallwright.example")).toBeUndefined();
  expect(referrerHost("", "stallwright.example")).toBeUndefined();
});
