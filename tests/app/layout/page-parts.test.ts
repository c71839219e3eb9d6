import { expect, test } from "vitest";
import { pageParts } from "#app/layout/page-parts.server.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (page: Uint8Array) => new TextDecoder().decode(page);

test("parts replace their placeholders, in any order and repeatedly", () => {
  const parts = pageParts("abc");
  const one = parts.placeholder(bytes("<i>one</i>"));
  const two = parts.placeholder(bytes("zwei – deux"));
  expect(text(parts.fill(`a${two}b${one}${one}c`))).toBe("azwei – deuxb<i>one</i><i>one</i>c");
});

test("multi-byte characters are preserved", () => {
  const parts = pageParts("abc");
  const placeholder = parts.placeholder(bytes("<b>€</b>"));
  expect(text(parts.fill(`„Zürich“ 👩‍🌾 ${placeholder} – 市`))).toBe("„Zürich“ 👩‍🌾 <b>€</b> – 市");
});

test("a page without parts is unchanged", () => {
  expect(text(pageParts("abc").fill("<p>plain</p>"))).toBe("<p>plain</p>");
});

test("user input that imitates a placeholder is left alone", () => {
  const parts = pageParts("the-nonce");
  parts.placeholder(bytes("<script>"));
  const typed = "<!--another-nonce 0--><!-- 0--><!--0-->";
  expect(text(parts.fill(typed))).toBe(typed);
});
