import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { filters } from "#app/waitlist/filter/filters.server.ts";
import { ANSWER_TOKEN_FIELD } from "#app/waitlist/questions/answers.ts";
import { dataToken, post } from "#tests/support/pool/built.ts";
import { entryPoints, fillIn } from "#tests/support/pool/entry-points.ts";
import { signedInBrowser } from "#tests/support/pool/owner.ts";
import { freshStorageForEachTest, join, rows } from "#tests/support/pool/start.ts";
import { prototypeNames } from "#tests/support/prototype-names.ts";

/* No look-up by a visitor's or an owner's text finds what objects inherit. */

const log = freshStorageForEachTest();

const browser = signedInBrowser();
const headers = { Origin: env.SITE_URL };

/** Parameters and fields of pages, beside the filters of the list. */
const others = ["order", "search", "after", "before", "count", "done", "format", "style", "headline", "page", "days"];
const fields = [
  "source",
  "via",
  "utm_source",
  "utm_campaign",
  "referrer_host",
  "answer_role",
  "storedAnswers",
  "intent",
];

/** Every parameter and field has the name as its value, and one has it as its name. */
function everywhere(name: string): [string, string][] {
  const known = [...filters().map((parameter) => parameter.name), ...others, ...fields];
  return [...known.map((key): [string, string] => [key, name]), [name, "x"], [`answer_${name}`, "x"]];
}

test("every page that is asked for such names in each parameter responds as to any unknown word", async () => {
  const id = await join("ada@example.com");
  const token = await dataToken(id);
  for (const [n, path] of [...entryPoints.pages, ...entryPoints.owner].entries()) {
    const name = prototypeNames[n % prototypeNames.length] ?? "";
    const url = fillIn(path, { token, id: String(id), name });
    const { status, body } = await browser.request(`${url}?${new URLSearchParams(everywhere(name))}`);
    expect([url, status < 500, status]).toEqual([url, true, status]);
    expect(body, url).not.toMatch(/native code|\[object |NaN/);
  }
  expect(log.join()).not.toMatch(/TypeError|"level":"error"/);
});

test.each(prototypeNames)("forms with %s in each field are handled as with any unknown word", async (name) => {
  const sent = { ...Object.fromEntries(everywhere(name)), email: "no address" };
  for (const extra of [{}, { [ANSWER_TOKEN_FIELD]: name }, { suggestedEmail: name }] as Record<string, string>[]) {
    const { status, body } = await post("/", { ...sent, ...extra }, { headers });
    expect([403, 422], body).toContain(status);
    expect(body).not.toMatch(/native code|\[object |NaN/);
  }
  const json = { ...headers, "Content-Type": "application/json" };
  for (const path of entryPoints.api) {
    const body = JSON.stringify({ ...sent, [name]: { email: "eve@example.com" } });
    expect([path, (await browser.request(path, { method: "POST", headers: json, body })).status < 500]).toEqual([
      path,
      true,
    ]);
  }
  expect(await rows("waitlist_emails")).toEqual([]);
  expect(log.join()).not.toMatch(/TypeError|"level":"error"/);
});
