import { expect, test } from "vitest";
import { maskEmail } from "#app/waitlist/my-data/own-entry.server.ts";

test.each([
  ["ada@example.com", "a•••@e•••.com"],
  ["a@b.c", "a•••@b•••.c"],
  ["zoë@mail.bücher.example", "z•••@m•••.example"],
  ["🧵@stitch.example", "🧵•••@s•••.example"],
])("masks %s as %s", (email, masked) => expect(maskEmail(email)).toBe(masked));
