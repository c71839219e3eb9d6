import { expect, test } from "vitest";
import { campaignFromSearch, pickCampaign, referrerHost } from "#app/waitlist/campaign.ts";

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
  expect(pickCampaign({ utm_source: " a\0b\n ", utm_medium: long, utm_term: "\ud800", utm_content: "  " })).toEqual({
    utm_source: "a b",
    utm_medium: "🧵".repeat(100),
    utm_term: "\ufffd",
  });
});

test("values that are no text are left out", () => {
  expect(pickCampaign({ utm_source: 1, utm_medium: null, utm_term: ["x"], utm_content: {} })).toEqual({});
});

test("the referring host is another site's, without its path", () => {
  expect(referrerHost("https://news.example/a?b=c", "stallwright.example")).toBe("news.example");
  expect(referrerHost("https://stallwright.example/", "stallwright.example")).toBeUndefined();
  expect(referrerHost("", "stallwright.example")).toBeUndefined();
});
