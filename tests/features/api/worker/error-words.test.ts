import { describe, expect, test } from "vitest";
import { filters } from "#app/waitlist/filter/filters.server.ts";
import { contractSite, newKey } from "#tests/features/api/pool/api-contract.ts";
import { unlimitedRates } from "#tests/support/pool/failures.ts";
import { freshStorageForEachTest, needs } from "#tests/support/pool/start.ts";

needs("api");
freshStorageForEachTest();
const { call } = contractSite(unlimitedRates);

const consent = { at: "2026-10-05T09:30:00Z", note: "At the autumn fair." };

describe("a wrong value gets the same words", () => {
  test("as a parameter of the API and as a filter of the owner’s list", async () => {
    const key = await newKey();
    for (const { name, read } of filters().filter(({ isOff }) => isOff !== true)) {
      for (const value of ["?", "x".repeat(500), "2026-02-30", "24:00"]) {
        const expected = read(value, {});
        if (expected === undefined) continue;
        const { body } = await call("GET", `/entries?${new URLSearchParams({ [name]: value })}`, { key });
        expect(body.errors, `${name}=${value.slice(0, 20)}`).toEqual([{ parameter: name, detail: expected }]);
      }
    }
  });

  test("as a parameter and as a field of a body", async () => {
    const key = await newKey();
    for (const [parameter, pointer, value] of [
      ["source", "source", "A-B"],
      ["answer_role", "answers/role", "admin"],
      ["answer_town", "answers/town", "x".repeat(121)],
    ] as const) {
      const queried = await call("GET", `/entries?${new URLSearchParams({ [parameter]: value })}`, { key });
      const [first = "", second] = pointer.split("/");
      const field = { [first]: second === undefined ? value : { [second]: value } };
      const sent = await call("POST", "/entries", { key, body: { email: "ada@example.com", consent, ...field } });
      expect(sent.body.errors, pointer).toEqual([{ pointer: `#/${pointer}`, detail: queried.body.errors[0].detail }]);
    }
  });
});

test.each([
  ["", "must not be empty"],
  [`${"a".repeat(250)}@b.example`, "must have at most 254 characters"],
  ["ada", "must be an email address, such as name@example.com"],
])("an address may not be %j", async (email, detail) => {
  const { status, body } = await call("POST", "/entries", { key: await newKey(), body: { email, consent } });
  expect([status, body.errors]).toEqual([422, [{ pointer: "#/email", detail }]]);
});

test.each(["cursor", "utm_source", "answer_town", "limit", "status"])("an empty %s is refused", async (name) => {
  const { status, body } = await call("GET", `/entries?${name}=`, { key: await newKey() });
  expect([status, body.errors]).toEqual([400, [{ parameter: name, detail: "must not be empty" }]]);
});
