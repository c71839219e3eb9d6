import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { letters, series } from "#app/switches.ts";
import { dataToken, post, unescaped } from "#tests/support/pool/built.ts";
import { loggedActions, type OwnerBrowser, signedIn } from "#tests/support/pool/owner.ts";
import { execute, freshStorageForEachTest, join, rows } from "#tests/support/pool/start.ts";

/* Two owners, or one in two tabs, change the same text: whatever was saved can be found, and brought back. */

freshStorageForEachTest();

const OWNERS = { OWNER_EMAIL: "ada@example.com, bob@example.com" };

let ada: OwnerBrowser;
let bob: OwnerBrowser;
beforeEach(async () => {
  ada = await signedIn(OWNERS, undefined, "ada@example.com");
  bob = await signedIn(OWNERS, undefined, "bob@example.com");
});

interface Text {
  path: string;
  /** Makes what the form is about. */
  begin: () => Promise<unknown>;
  field: string;
  others: Record<string, string>;
  /** Where the text is stored. */
  stored: () => Promise<unknown>;
}

const content = { subject: "We open", "preview-line": "", "reply-to": "" };
const column = async (table: string, name: string) => (await rows<Record<string, unknown>>(table)).at(-1)?.[name];

const texts: [name: string, text: Text][] = [
  [
    "a note",
    {
      path: "/owner/entries/1",
      begin: () => join("someone@example.com"),
      field: "note",
      others: {},
      stored: () => column("waitlist_emails", "owner_note"),
    },
  ],
  [
    "the welcome email",
    {
      path: "/owner/emails/welcome",
      begin: async () => undefined,
      field: "body",
      others: { subject: "Hello", heading: "Welcome" },
      stored: () => column("email_wordings", "body"),
    },
  ],
  ...(letters
    ? ([
        [
          "a letter",
          {
            path: "/owner/letters/1",
            begin: () => ada.post("/owner/letters", { ...content, body: "Begun.", intent: "save" }),
            field: "body",
            others: content,
            stored: () => column("letters", "body"),
          },
        ],
        [
          "a letter’s audience",
          {
            path: "/owner/letters/1/audience",
            begin: () => ada.post("/owner/letters", { ...content, body: "Begun.", intent: "save" }),
            field: "source",
            others: {},
            stored: async () => JSON.parse(`${await column("letters", "audience")}`).filter.source,
          },
        ],
      ] as [string, Text][])
    : []),
  ...(series
    ? ([
        [
          "a follow-up",
          {
            path: "/owner/series/1",
            begin: () =>
              ada.post("/owner/series", { ...content, days: "3", audience: "", body: "Begun.", intent: "save" }),
            field: "body",
            others: { ...content, days: "3", audience: "" },
            stored: () => column("series_steps", "body"),
          },
        ],
      ] as [string, Text][])
    : []),
];

/** The hidden fields by which a page tells versions apart. */
function versionIn(html: string): Record<"version" | "form", string> {
  const value = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? `no ${name}`;
  return { version: value("version"), form: value("form") };
}

const open = async (owner: OwnerBrowser, path: string) => versionIn((await owner.request(path)).body);

/** All that can be read among the earlier versions of a text. */
async function found(owner: OwnerBrowser, path: string): Promise<string> {
  const list = (await owner.request(`/owner/versions?of=${path}`)).body;
  const pages = Array.from(list.matchAll(/href="(\/owner\/versions\/\d+)"/g), ([, link = ""]) => link);
  return (await Promise.all(pages.map(async (link) => unescaped((await owner.request(link)).body)))).join();
}

describe.each(texts)("%s", (_name, { path, begin, field, others, stored }) => {
  const save = (owner: OwnerBrowser, text: string, shown: object) =>
    owner.post(path, { ...others, [field]: text, intent: "save", ...shown });

  test("two owners change it at the same time: the second sees both texts, and saves knowingly", async () => {
    await begin();
    const [first, second] = [await open(ada, path), await open(bob, path)];
    expect((await save(ada, "stalls_of_ada", first)).status).toBe(303);
    const refused = await save(bob, "tables_of_bob", second);
    expect(refused.status).toBe(409);
    expect(await stored()).toBe("stalls_of_ada");
    const [, conflict = ""] = /class="conflict"(.*?)<form/s.exec(refused.body) ?? [];
    expect(conflict).toContain("ada@example.com saved another text on");
    expect(conflict).toMatch(/Saved<.*stalls_of_ada.*What you typed<.*tables_of_bob/s);
    // The form below has what was typed.
    expect(refused.body.slice(refused.body.indexOf("<form", refused.body.indexOf(conflict)))).toContain(
      "tables_of_bob",
    );
    expect((await save(bob, "tables_of_bob", versionIn(refused.body))).status).toBe(303);
    expect(await stored()).toBe("tables_of_bob");
    expect(await found(ada, path)).toContain("stalls_of_ada");
  });

  test("the same page saves again, after Back or a double click", async () => {
    await begin();
    const shown = await open(ada, path);
    await Promise.all([save(ada, "one_text", shown), save(ada, "one_text", shown)]);
    expect((await save(ada, "another_text", shown)).status).toBe(303);
    expect(await stored()).toBe("another_text");
  });

  test("an earlier version is brought back, and the log has each save", async () => {
    await begin();
    await save(ada, "first_text", await open(ada, path));
    await save(ada, "second_text", await open(ada, path));
    const list = (await ada.request(`/owner/versions?of=${path}`)).body;
    const links = Array.from(list.matchAll(/href="(\/owner\/versions\/\d+)"/g), ([, link = ""]) => link);
    const version = (await ada.request(links[1] ?? "")).body;
    const [, action = "", inputs = ""] =
      /<form action="([^"]+)" method="post">(.*?)<\/form>/s.exec(version.slice(version.indexOf("<main"))) ?? [];
    const fields = Array.from(
      inputs.matchAll(/name="([^"]*)"(?: type="submit")? value="([^"]*)"/g),
      ([, name = "", value = ""]) => [name, unescaped(value)],
    );
    const brought = await ada.post(action, Object.fromEntries([...fields, ["intent", "save"]]));
    expect(brought.status).toBe(303);
    expect(await stored()).toBe("first_text");
    const saves = (await loggedActions()).filter(([logged]) =>
      /^(note|edit-email|save-letter|save-audience|change-step)$/.test(logged),
    );
    expect(saves).toHaveLength(3);
  });

  test("each text that was saved can be found, whatever two owners did in which order", {
    timeout: 60_000,
  }, async () => {
    await begin();
    const step = fc.record({
      who: fc.constantFrom("ada", "bob"),
      does: fc.constantFrom("open", "save", "save", "take over"),
    });
    let count = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
        const shown = { ada: await open(ada, path), bob: await open(bob, path) };
        const saved: string[] = [];
        for (const { who, does } of steps) {
          const owner = { ada, bob }[who as "ada" | "bob"];
          if (does === "open") shown[who as "ada"] = await open(owner, path);
          else {
            count += 1;
            const text = `text_${count}_end`;
            const response = await save(owner, text, shown[who as "ada"]);
            if (response.status === 303) saved.push(text);
            else if (does === "take over") {
              expect(response.status).toBe(409);
              await save(owner, text, versionIn(response.body));
              saved.push(text);
            }
            if (response.status === 303) expect(await stored()).toBe(text);
          }
        }
        const all = await found(bob, path);
        for (const text of saved) expect(all).toContain(text);
      }),
      { numRuns: 6 },
    );
  });
});

test("going back to the original words keeps those that an owner had written, and refuses to drop unseen ones", async () => {
  const words = { subject: "Hello", heading: "Welcome", intent: "save" };
  const path = "/owner/emails/welcome";
  await execute(`INSERT INTO email_wordings VALUES ('welcome', 'Old', 'Old', 'From before', 1)`);
  const shown = await open(ada, path);
  await bob.post(path, { ...words, body: "What Bob wrote" });
  expect((await ada.post(path, { intent: "restore", ...shown })).status).toBe(409);
  expect((await ada.post(path, { intent: "restore", ...(await open(ada, path)) })).status).toBe(303);
  expect(await rows("email_wordings")).toEqual([]);
  const all = await found(ada, path);
  for (const text of ["From before", "What Bob wrote"]) expect(all).toContain(text);
});

test.runIf(letters)(
  "what a page saves by itself is one version while one types, and more once something was deleted",
  async () => {
    await ada.post("/owner/letters", { ...content, body: "x", intent: "save" });
    const path = "/owner/letters/1";
    const shown = await open(ada, path);
    const texts = [
      "Dear",
      "Dear friends",
      "Dear good friends",
      `Dear good friends, ${"word ".repeat(50)}`,
      "Other words instead of those",
    ];
    for (const body of texts) await ada.post(path, { ...content, body, intent: "save", autosave: "yes", ...shown });
    const kept = (await rows<{ fields: string }>("saved_versions")).map(({ fields }) => JSON.parse(fields).at(-1)[1]);
    expect(kept).toEqual(["x", texts[3], texts[4]]);
    // None of it is in the log but the first save.
    expect((await loggedActions()).filter(([action]) => action === "save-letter")).toEqual([]);
  },
);

test("a person reads what a note about them said before", async () => {
  const id = await join("someone@example.com");
  for (const note of ["Met at the fair", "Wants two tables"])
    await ada.post("/owner/entries/1", { intent: "save", note });
  const page = `/your-data/${await dataToken(id)}`;
  const { body } = await post(page, { intent: "show-data" });
  expect(JSON.parse((await post(`${page}/export`, {})).body).earlier_notes).toMatchObject([
    { note: "Met at the fair" },
  ]);
  expect(body).toMatch(/Our note of .*Met at the fair/s);
});

test("an erased person’s notes are in no version", async () => {
  await join("someone@example.com");
  await ada.post("/owner/entries/1", { intent: "save", note: "Met at the fair" });
  expect(await rows("saved_versions")).toHaveLength(1);
  await ada.post("/owner/entries/1", { intent: "erase" });
  expect(await rows("saved_versions")).toEqual([]);
});
