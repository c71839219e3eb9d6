import { expect, test } from "vitest";
import { isTokenPath, redactToken } from "#app/server/token-path.ts";

test.each([
  ["/your-data/TOKEN", "/your-data/[token]"],
  ["/your-data/TOKEN.data", "/your-data/[token]"],
  ["/your-data/TOKEN/export", "/your-data/[token]/export"],
  ["/your-data/TOKEN%", "/your-data/[token]"],
  ["//your-data//TOKEN//export", "/your-data/[token]/export"],
  ["/Your-Data/TOKEN", "/your-data/[token]"],
  ["/your%2Ddata/TOKEN", "/your-data/[token]"],
  ["/%79our-data/TOKEN", "/your-data/[token]"],
  ["/unsubscribe/TOKEN", "/unsubscribe/[token]"],
  ["/unsubscribe/TOKEN.data", "/unsubscribe/[token]"],
  ["/unsubscribe/TOKEN/one-click", "/unsubscribe/[token]/one-click"],
  ["//Unsubscribe//TOKEN//one-click", "/unsubscribe/[token]/one-click"],
  ["/%75nsubscribe/TOKEN%", "/unsubscribe/[token]"],
  ["/confirm/TOKEN", "/confirm/[token]"],
  ["//Confirm//TOKEN.data", "/confirm/[token]"],
  ["/c%6Fnfirm/TOKEN%", "/confirm/[token]"],
  ["/your-data%2FTOKEN", "/your-data/[token]"],
  ["/your-data%2fTOKEN%2Fexport", "/your-data/[token]/export"],
  ["/%2Funsubscribe%2F%2FTOKEN", "/unsubscribe/[token]"],
  ["/your-data;x/TOKEN", "/your-data/[token]"],
  ["/confirm%3Bx/TOKEN", "/confirm/[token]"],
])("%s is redacted as %s", (path, redacted) => {
  expect(isTokenPath(path)).toBe(true);
  expect(redactToken(path)).toBe(redacted);
});

test.each([
  ["/owner/sign-in/TOKEN", "/owner/sign-in/[token]"],
  ["//Owner//sign%2Din//TOKEN", "/owner/sign-in/[token]"],
  ["/owner/sign-in/", "/owner/sign-in/"],
  ["/owner/sign-in-links/1", "/owner/sign-in-links/1"],
])("%s, which no page of React Router has, is redacted as %s", (path, redacted) => {
  expect(isTokenPath(path)).toBe(false);
  expect(redactToken(path)).toBe(redacted);
});

test.each([
  "/",
  "/roadmap",
  "/your-data",
  "/your-data/",
  "/your-data%2F",
  "/your-data;x",
  "/your-data-and-more/x",
  "/unsubscribe",
  "/unsubscribe/",
  "/unsubscribed/x",
  "/confirm/",
  "/confirmed/x",
  "/%/x",
])("%s contains no token and is unchanged", (path) => {
  expect(isTokenPath(path)).toBe(false);
  expect(redactToken(path)).toBe(path);
});
