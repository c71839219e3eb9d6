import { afterEach, expect, test, vi } from "vitest";
import { documentWithout, everySwitch } from "#tests/features/api/openapi-document.ts";

afterEach(() => void vi.doUnmock("#app/switches.ts"));

/** What only a feature brings into the document. */
const traces = {
  // Letters of the alphabet stay.
  letters: /(?<!lower-case |address with )letter|invit|skipped/i,
  series: /follow-up/i,
  referrals: /milestone|friend|"via"|personal.link/i,
  visits: /visit(?!or)|`page`/i,
  webhooks: /webhook-id|"entry\.joined"/,
};

test("the document has nothing of a feature that is switched off, and all of the others", async () => {
  for (const off of [...everySwitch.map((name) => [name]), everySwitch]) {
    const text = JSON.stringify(await documentWithout(off));
    for (const name of everySwitch) {
      const isOff = off.includes(name) || (name === "series" && off.includes("letters"));
      expect(traces[name].exec(text)?.[0], `${name}, without ${off}`).toEqual(isOff ? undefined : expect.any(String));
    }
  }
});

test("without letters, keys cannot be given their scope, and one that has it does not show it", async () => {
  await documentWithout(["letters"]);
  const { apiScopes } = await import("#app/features/api/keys/scopes.ts");
  expect(Object.keys(apiScopes)).toEqual(["entries:read", "entries:write", "stats:read"]);
  const { apiRoutes } = await import("#app/features/api/v1/routes/index.server.ts");
  const route = apiRoutes.find(({ path }) => path === "/key");
  const key = { name: "CRM", scopes: ["stats:read", "letters:read"] };
  expect(await route?.handle({ key } as never)).toEqual({ status: 200, body: { name: "CRM", scopes: ["stats:read"] } });
});
