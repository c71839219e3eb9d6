import { expect, test } from "vitest";
import { isTokenPath, redactToken } from "#app/server/http/token-path.ts";

/* Paths as the log has them. tests/built/links.slow.matrix.test.ts sends requests to them. */

test.each([
  ["/your-data/TOKEN", "/your-data/[token]"],
  ["/unsubscribe/TOKEN.data", "/unsubscribe/[token]"],
  ["/confirm/TOKEN%", "/confirm/[token]"],
  ["//Unsubscribe//TOKEN//one-click", "/unsubscribe/[token]/one-click"],
  ["/%79our%2Ddata/TOKEN/export", "/your-data/[token]/export"],
  ["/your-data%2fTOKEN%2Fexport", "/your-data/[token]/export"],
  ["/%2Funsubscribe%2F%2FTOKEN", "/unsubscribe/[token]"],
  ["/your-data;x/TOKEN", "/your-data/[token]"],
  ["/confirm%3Bx/TOKEN", "/confirm/[token]"],
  // No page of React Router has these.
  ["/owner/sign-in/TOKEN", "/owner/sign-in/[token]"],
  ["//Owner//sign%2Din//TOKEN", "/owner/sign-in/[token]"],
])("%s is redacted as %s", (path, redacted) => {
  expect(redactToken(path)).toBe(redacted);
  expect(isTokenPath(path)).toBe(!redacted.startsWith("/owner"));
});

test.each([
  ...["/", "/your-data/", "/your-data%2F", "/your-data;x", "/your-data-and-more/x", "/unsubscribed/x", "/%/x"],
  ...["/owner/sign-in/", "/owner/sign-in-links/1"],
])("%s contains no token and is unchanged", (path) => {
  expect(isTokenPath(path)).toBe(false);
  expect(redactToken(path)).toBe(path);
});
