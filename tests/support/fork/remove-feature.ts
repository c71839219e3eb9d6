import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "#scripts/lib/commands.ts";

/** A row of the table in "Remove a feature" of docs/make-it-yours.md, with the section below it. */
export interface Removal {
  feature: string;
  /** Of the feature's folders in `app/features` and `tests/features`; null for what only several share. */
  folder: string | null;
  /** Files and folders to delete, as patterns. */
  own: string[];
  /** Other files, and what to change there. */
  edits: Record<string, Edit[]>;
  /** Packages that nothing else uses, for `npm uninstall`. */
  packages?: string[];
}

/** Lines to delete, by what they contain, or a text to replace. */
type Edit = string | [search: string | RegExp, replacement: string];

/** What the guide leaves to its reader: where it does more than name what to delete. */
const details: Record<string, Record<string, Edit[]>> = {
  Blog: {
    "app/routes/home.tsx": [
      "#app/features/blog",
      "ConsoleError",
      "switches.blog",
      "posts: posts &&",
      ["posts !== null && (shown !== null || !hasNumbers)", "shown !== null || !hasNumbers"],
      ["[shown, letter, posts]", "[shown, letter]"],
      ["{ posts, supportUrl,", "{ supportUrl,"],
      [/\ntype BlogProps.*?\n}\n/s, ""],
    ],
  },
  "Share button": {
    "app/routes/layout.tsx": ["ShareContext", "#app/switches.ts", "share-page.tsx"],
  },
  "Words of emails": {
    "app/features/overview/emails.server.tsx": [[/ *<a className="quiet-link" href="\/owner\/emails">.*?<\/a>\n/s, ""]],
    "app/features/overview/first-steps.server.tsx": [
      [/ *<p>\n *<a className="quiet-link" href="\/owner\/emails">.*?<\/p>\n/s, ""],
    ],
  },
  Settings: {
    "scripts/owner/stored-settings.ts": [
      "#app/features/settings",
      ["= readSettings;", "= async () => ({});"],
      ["= restoreOwner;", "= async () => {};"],
    ],
  },
  Letters: {
    "app/pages.server.ts": [
      "lettersPage }",
      "#app/switches.ts",
      ["[...linkedPages, ...(letters ? [lettersPage] : [])]", "linkedPages"],
    ],
  },
  Imports: {
    "scripts/owner/run.ts": ["ImportError", "scripts/owner/import.ts", [/ {2}add\("import <file>".*?;\n/s, ""]],
    "tests/scripts/owner/commands.test.ts": ['["import"'],
  },
  "Personal links": {
    "app/routes/my-data.tsx": [
      "#app/features/referrals",
      "const friends = hasFriends",
      ["{ view, ticket, friends, message,", "{ view, ticket, message,"],
      "const { friends, ...shown } = loaderData;",
      ["{...shown}", "{...loaderData}"],
      "<OwnFriendsSection",
    ],
  },
  Webhooks: {
    "wrangler.toml": ["The second sends webhooks", [', "*/2 * * * *"]', "]"]],
  },
  "At the fair": {
    "tests/support/pool/busy-cron.ts": [
      "#tests/features/fair/pool/fair.ts",
      [/ {2}if \(switches\.fair\).*?\n {2}}\n/s, ""],
    ],
  },
};

const guide = readFileSync(join(root, "docs", "make-it-yours.md"), "utf8");
const [, chapter = ""] = guide.split("\n## Remove a feature\n");
const sections = new Map(chapter.split("\n### ").map((section) => [section.split("\n", 1)[0] ?? "", section]));

/** The guide's removals. What it lists is carried out as it stands there. */
export const removals: Removal[] = Array.from(
  chapter.matchAll(/^\| ([^|]+) \| `([\w-]+)` \| ([^|]*)\| ([^|]*)\|$/gm),
  ([, feature = "", folder = "", pages = "", name = ""]) => {
    const section = sections.get(feature) ?? "";
    const edited = Array.from(section.matchAll(/^- In `([^`]+)`, delete (.*)\.$/gm));
    return {
      feature,
      folder,
      own: [
        `app/features/${folder}`,
        ...(existsSync(join(root, "tests/features", folder)) ? [`tests/features/${folder}`] : []),
        ...Array.from(pages.matchAll(/`([^`]+)`/g), ([, page]) => `docs/${page}`),
        ...Array.from(section.matchAll(/^- Delete `(.+)`\.$/gm), ([, pattern = ""]) => pattern),
      ],
      edits: {
        ...(existsSync(join(root, "app/features", folder, "feature.ts"))
          ? { "app/features.ts": [`#app/features/${folder}/`, [inList(folder), ""] satisfies Edit] }
          : {}),
        ...Object.fromEntries(
          Array.from(name.matchAll(/`(\w+)`/g), ([, each]) => [
            "app/switches.ts",
            [[`${each} = true`, `${each} = false`]] satisfies Edit[],
          ]),
        ),
        ...Object.fromEntries(
          edited.map(([, file = "", what = ""]) => [file, details[feature]?.[file] ?? namesIn(what)]),
        ),
      },
      packages: /`npm uninstall ([^`]+)`/.exec(section)?.[1]?.split(" ") ?? [],
    };
  },
);

for (const [feature, files] of Object.entries(details)) {
  const documented = removals.find((removal) => removal.feature === feature)?.edits ?? {};
  const missing = Object.keys(files).filter((file) => documented[file] !== files[file]);
  if (missing.length > 0) throw new Error(`docs/make-it-yours.md removes ${feature} without ${missing.join(", ")}`);
}

/** What the features share, which is left once all are gone. */
export const shared: Removal = {
  feature: "What they share",
  folder: null,
  own: [
    "{app,tests}/features/pictures",
    "app/owner/pictures",
    "app/server/pictures/{png-chunk,proxied-picture,remote-error,safe-fetch}*",
    "app/server/single-flight*",
    "app/owner/ui/qr-*",
    "app/server/qr-code*",
    "app/email/hidden-character.ts",
    "app/owner/test-email*",
    "app/server/shorten*",
    "tests/support/browser/scan.ts",
  ],
  edits: {
    "app/features.ts": ["#app/switches.ts", "#app/features/pictures/", [inList("pictures"), ""]],
    "app/pages.ts": ["#app/switches.ts"],
    "app/waitlist/entries/campaign-name.ts": [
      "At most 64 characters",
      "storable",
      "Whether visits",
      "isStorableName",
      "}",
    ],
  },
  packages: ["uqr", "jsqr"],
};

/** The line of a feature in the list of `app/features.ts`. */
function inList(folder: string): RegExp {
  const list = readFileSync(join(root, "app", "features.ts"), "utf8");
  const [, name] = new RegExp(`import \\{ (\\w+) \\} from "#app/features/${folder}/feature.ts"`).exec(list) ?? [];
  return new RegExp(`^.*\\b${name}\\b[\\],].*\\n`, "m");
}

/** The names in what a line of the guide says to delete: lines with them go. */
function namesIn(what: string): Edit[] {
  const names = Array.from(what.matchAll(/`(\w+)`/g), ([, each = ""]) => each);
  if (names.length === 0) throw new Error(`docs/make-it-yours.md: nothing is known about “${what}”`);
  return names;
}

/** Pages that name tests, which must exist. */
const testedPages = ["docs/security.md", "docs/security-review.md"];

/**
 * Carries out removals in a copy of the site.
 *
 * @throws if something that they name is not there
 */
export function remove(folder: string, ...wanted: Removal[]): void {
  const packages = wanted.flatMap((removal) => removal.packages ?? []);
  // Some name the same files.
  const deleted = new Set(wanted.flatMap(({ own }) => own).flatMap((pattern) => filesOf(folder, pattern)));
  const changed = [
    ...wanted.flatMap(({ edits }) => Object.entries(edits)).filter(([name]) => !deleted.has(name)),
    // In place of `npm uninstall`, which needs the network.
    ["package.json", packages.map((name) => `"${name}": "`)],
    ["docs/dependencies.md", packages.map((name) => `| ${name} |`)],
  ] as const;
  for (const [name, changes] of changed) {
    const file = join(folder, name);
    let text = readFileSync(file, "utf8");
    for (const change of changes) text = edit(text, change, name);
    writeFileSync(file, text);
  }
  for (const name of deleted) rmSync(join(folder, name), { recursive: true, force: true });
  for (const name of testedPages) {
    const page = readFileSync(join(folder, name), "utf8");
    const isGone = (test: string) => !existsSync(join(folder, test));
    writeFileSync(
      join(folder, name),
      page.replaceAll(/(?:, | and )?`(tests\/[^`]+)`/g, (mention, test: string) => (isGone(test) ? "" : mention)),
    );
  }
}

/** @throws if there are none */
function filesOf(folder: string, pattern: string): string[] {
  const found = globSync(pattern, { cwd: folder });
  if (found.length === 0) throw new Error(`Nothing to delete: ${pattern}`);
  return found;
}

function edit(text: string, change: Edit, name: string): string {
  const after =
    typeof change === "string"
      ? text.replaceAll(new RegExp(`^.*${RegExp.escape(change)}.*\n`, "gm"), "")
      : text.replace(change[0], () => change[1]);
  if (after === text) throw new Error(`${name} has nothing like ${change}`);
  return after;
}
