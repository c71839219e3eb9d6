import { createConfig, lintFromString } from "@redocly/openapi-core";
import spectralCore, { type RulesetDefinition } from "@stoplight/spectral-core";
import spectralRulesets from "@stoplight/spectral-rulesets";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { documentWithout, everySwitch } from "#tests/features/api/openapi-document.ts";

afterEach(() => void vi.doUnmock("#app/switches.ts"));
beforeAll(() => {
  // Linters fetch nothing: all that the document refers to is in it.
  vi.spyOn(globalThis, "fetch").mockRejectedValue(new Error("no network"));
});

const spectral = new spectralCore.Spectral();
// Its type has no rule set without parents.
const oas = spectralRulesets.oas as unknown as RulesetDefinition;
spectral.setRuleset({ extends: [[oas, "recommended"]], rules: {} });

/** What both linters say with their recommended rules, warnings included. */
async function lint(document: unknown): Promise<string[]> {
  const found = await spectral.run(JSON.parse(JSON.stringify(document)));
  const config = await createConfig({ extends: ["recommended"] });
  const source = JSON.stringify(document);
  const problems = await lintFromString({ source, config, absoluteRef: "openapi.json" });
  return [
    ...found.map(({ code, path }) => `Spectral: ${code} at ${path.join(".")}`),
    ...problems.map(({ ruleId, location }) => `Redocly: ${ruleId} at ${location[0]?.pointer}`),
  ];
}

test.each([[[]], ...everySwitch.map((name) => [[name]]), [everySwitch]])(
  "Redocly and Spectral find nothing in the document without %j",
  async (off) => {
    expect(await lint(await documentWithout(off))).toEqual([]);
  },
);

test("they would find an operation without a name, a broken example and a reference to nothing", async () => {
  const document = await documentWithout([]);
  const { post, get } = document.paths["/entries"] ?? {};
  const json = post?.requestBody?.content["application/json"];
  if (get === undefined || json === undefined) throw new Error("no operations");
  Object.assign(get, { operationId: undefined, description: "" });
  json.example = { email: 5 };
  Object.assign(document.components.schemas, { Unused: { type: "strin" } });
  const found = await lint(document);
  for (const rule of ["operation-operationId", "oas3-valid-media-example", "oas3-unused-component", "oas3-schema"])
    expect(found).toContainEqual(expect.stringMatching(`Spectral: ${rule}`));
  for (const rule of ["operation-operationId", "struct"])
    expect(found).toContainEqual(expect.stringMatching(`Redocly: ${rule}`));
});
