import { expect, test } from "vitest";
import { pageParts } from "#app/layout/page-parts.server.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (page: Uint8Array) => new TextDecoder().decode(page);

test("parts stand where their marks stood, in any order and as often as they are marked", () => {
  const parts = pageParts("abc");
  const one = parts.mark(bytes("<i>one</i>"));
  const two = parts.mark(bytes("zwei – deux"));
  expect(text(parts.fill(`a${two}b${one}${one}c`))).toBe("azwei – deuxb<i>one</i><i>one</i>c");
});

test("a page with characters of more than one byte is the same page", () => {
  const parts = pageParts("abc");
  const mark = parts.mark(bytes("<b>€</b>"));
  expect(text(parts.fill(`„Zürich“ 👩‍🌾 ${mark} – 市`))).toBe("„Zürich“ 👩‍🌾 <b>€</b> – 市");
});

test("a page without parts is itself", () => {
  expect(text(pageParts("abc").fill("<p>plain</p>"))).toBe("<p>plain</p>");
});

test("what a visitor writes in the manner of a mark stays as it is", () => {
  const parts = pageParts("the-nonce");
  parts.mark(bytes("<script>"));
  const typed = "<!--another-nonce 0--><!-- 0--><!--0-->";
  expect(text(parts.fill(typed))).toBe(typed);
});
