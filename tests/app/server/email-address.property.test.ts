import { env } from "cloudflare:test";
import fc from "fast-check";
import { expect, test } from "vitest";
import { emailPattern, isEmailAddress, normaliseEmail } from "#app/server/email-address.ts";
import { hashMailbox, mailboxOf } from "#app/server/hashes/mailbox.server.ts";
import { fuzzCases, fuzzSeed } from "#tests/support/pool/fuzz.ts";
import { words } from "#tests/support/words.ts";

const options = { seed: fuzzSeed(), numRuns: fuzzCases(5_000) };

/** Any text around an at sign, addresses of RFC 5322, and addresses in Unicode. */
const anyText = fc.oneof(
  fc.emailAddress(),
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.tuple(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" })).map(([a, b]) => `${a}@${b}.example`),
  fc.tuple(fc.string({ unit: "binary" }), fc.domain()).map((parts) => parts.join("@")),
  fc.stringMatching(/^[-=?._%+/a-zß。0-9]{1,9}@[-=?._%+/a-zß。0-9]{1,9}\.[-_.a-z0-9]{1,4}$/),
);

const name = fc.stringMatching(/^[a-z0-9]{1,12}$/);
const tag = fc.stringMatching(/^[a-z0-9+._-]{0,12}$/);

/** As browsers of any age compile the field's pattern. */
const patterns = ["u", "v"].map((flag) => new RegExp(`^(?:${emailPattern})$`, flag));

test("an accepted address matches the field's and the specification's patterns, DNS can hold its domain, and it stays as it is when normalised again", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const email = normaliseEmail(text);
      if (email === null) return;
      // Without white space and invisible characters at its ends.
      const typed = text.replace(/^[\s\x85\p{DI}]+|[\s\x85\p{DI}]+$/gu, "");
      expect(typed).toMatch(/^[^\s@]+@[^\s@]+\.[^\s@]+$/);
      expect(email).toMatch(/^[^\s@]+@[a-z0-9.-]+$/);
      expect(email.length).toBeLessThanOrEqual(254);
      expect(email).not.toContain("=?");
      const labels = email.slice(email.indexOf("@") + 1).split(".");
      expect(labels.length).toBeGreaterThan(1);
      for (const label of labels) expect(label).toMatch(/^(?!-)[a-z0-9-]{1,63}(?<!-)$/);
      expect(labels.at(-1)).not.toMatch(/^\d+$/);
      for (const pattern of patterns) expect(text).toMatch(pattern);
      expect([normaliseEmail(email), isEmailAddress(email)]).toEqual([email, true]);
    }),
    options,
  );
});

test("a tag never changes the mailbox, and the mailbox is its own mailbox", () => {
  fc.assert(
    fc.property(name, tag, fc.domain(), (local, after, domain) => {
      const email = normaliseEmail(`${local}+${after}@${domain}`);
      if (email === null) return;
      expect(mailboxOf(email)).toBe(mailboxOf(email.replace(/\+[^@]*/, "")));
      expect(mailboxOf(mailboxOf(email))).toBe(mailboxOf(email));
    }),
    options,
  );
});

test("every spelling of a Gmail address is one mailbox; different names and other providers' dots are not", async () => {
  const spelling = fc.record({
    dots: fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
    capitals: fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
    after: fc.option(tag, { nil: null }),
    domain: fc.constantFrom("gmail.com", "GMAIL.com", "googlemail.com", "Gmail.com.", "ｇmail.com"),
  });
  await fc.assert(
    fc.asyncProperty(name, name, spelling, async (local, other, { dots, capitals, after, domain }) => {
      const spelt = [...local]
        .map((letter, n) => (dots[n] ? "." : "") + (capitals[n] ? letter.toUpperCase() : letter))
        .join("");
      const email = normaliseEmail(`${spelt}${after === null ? "" : `+${after}`}@${domain}`) ?? "";
      const hash = await hashMailbox(email, env.HASH_KEY);
      expect(hash).toBe(await hashMailbox(`${local}@gmail.com`, env.HASH_KEY));
      expect(hash).not.toBe(await hashMailbox(`${local}@example.com`, env.HASH_KEY));
      if (other !== local) expect(hash).not.toBe(await hashMailbox(`${other}@gmail.com`, env.HASH_KEY));
    }),
    { ...options, numRuns: fuzzCases(500) },
  );
  expect(mailboxOf("a.da@example.com")).not.toBe(mailboxOf("ada@example.com"));
});

test.each([
  ["victim@icloud.com", "victim@me.com victim@mac.com victim+a@me.com", "vic.tim@icloud.com"],
  ["vic@proton.me", "vic@protonmail.com vic@protonmail.ch vic@pm.me v.i-_c@proton.me", "vics@proton.me"],
  ["vic@proton.me", "v.ic+a-b@pm.me", "vic@pm.example"],
  ["v@yandex.ru", "v@ya.ru v+a@yandex.com v@yandex.com.tr", "v@yandex.evil.example v@notyandex.ru"],
  ["vic@fastmail.com", "any.name@vic.fastmail.com n+x@vic.fastmail.com vic+a@fastmail.com", "vic@fastmail.fm"],
  ["vic@fastmail.com", "vic@fastmail.com", "vic@a.vic.fastmail.com a@vic.example.com"],
  ["victim@fastmail.fm", "any@victim.fastmail.fm", "vic.tim@fastmail.fm"],
])("%s has one mailbox under all its addresses", (email, same, others) => {
  for (const address of [email, ...words(same)]) expect(mailboxOf(address)).toBe(email);
  for (const address of words(others)) expect(mailboxOf(address)).not.toBe(email);
});
