import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "#scripts/lib/commands.ts";

/** A recipe of "Remove a feature" in docs/make-it-yours.md. */
export interface Removal {
  feature: string;
  /** A feature that needs this one, and is removed first. */
  first?: string | undefined;
  /** The feature's own folders and files, as patterns. */
  own: string[];
  /** Other files, and what to change there. */
  edits: Record<string, Edit[]>;
  /** Packages that nothing else uses, for `npm uninstall`. */
  packages?: string[];
}

/** Lines to delete, by what they contain, or a text to replace. */
type Edit = string | [search: string | RegExp, replacement: string];

/** What the guide leaves to its reader: where it does more than name what to delete, or to set to false. */
const details: Record<string, Record<string, Edit[]>> = {
  Letters: {
    "app/routes.ts": ["letter"],
    "app/layout/pages.ts": [
      "#app/features/letters/public",
      "#app/switches.ts",
      ["[...linkedPages, ...(letters ? [lettersPage] : [])]", "linkedPages"],
      ["letters ? [letterPages] : []", "[]"],
      ["letters ? letterPages.newest : ", ""],
    ],
    "app/layout/styles/deferred.css": ["pages/letters"],
    "worker/scheduled.ts": [
      "#app/features/letters/send",
      ["(app, run, switches.letters ? letterBatches(app, run) : undefined)", "(app, run)"],
    ],
  },
  "Follow-up emails": {
    "app/features/letters/send/cron.server.ts": [
      "#app/features/letters/series",
      "#app/switches.ts",
      "const series =",
      ["of letters and of the steps of the series", "of letters"],
      ["LetterDeps & SeriesDeps", "LetterDeps"],
      ["switches.series ? seriesState : sql`NULL`", "sql`NULL`"],
      [" && !series?.isDue", ""],
      ["{ ...app, series }", "app"],
    ],
    "app/features/letters/write/send-page.server.tsx": [
      "#app/features/letters/series",
      "#app/switches.ts",
      "const hasSeries",
      [/ *\{hasSeries \?.*?\) : null\}\n/s, ""],
    ],
    "app/waitlist/sign-up/consent-wording.ts": ["The versions by which people agreed", "followUpVersions"],
  },
  Imports: {
    "worker/scheduled.ts": ["#app/features/import", [", importJobs]", "]"], "deleteOldImports", "imports-deleted"],
    "scripts/owner/run.ts": [
      "ImportError",
      "scripts/owner/import.ts",
      'add("import <file>"',
      "--consent-",
      "add the people; run it again",
      "--welcome",
    ],
    "tests/scripts/owner/commands.test.ts": ['["import"'],
  },
  Visits: {
    "worker/app.ts": ["count-visits.ts", ["countVisits, ", ""]],
    "worker/scheduled.ts": [
      "visit-counter.server.ts",
      "VISITS_RETENTION_MONTHS } from",
      [/ *forgetVisits: when\(.*?\n {2}\),\n/s, ""],
      [", monthsBefore, utcDay }", " }"],
    ],
  },
  "Tagged links": {
    "app/features/overview/first-steps.server.ts": [
      "An owner has made a tagged link",
      "link: boolean",
      "#app/server/db/schema/owner.server.ts",
      "ownerLog.id",
      ["erased, links]", "erased]"],
      [", link: links.length > 0 }", " }"],
      ["{ email, signUp, link }", "{ email, signUp }"],
      ["email && signUp && link", "email && signUp"],
      ["{ eq, isNotNull }", "{ isNotNull }"],
    ],
    "app/features/overview/first-steps-view.server.tsx": [
      [/ *<Step done=\{steps\.link\}.*?<\/Step>\n/s, ""],
      ["these three steps", "these two steps"],
    ],
  },
  Webhooks: {
    "worker/index.ts": [
      "#app/switches.ts",
      [/\/\*\* The second trigger.*?\n}\n\n/s, ""],
      ["({ cron }, env", "(_controller, env"],
      ["cron === WEBHOOKS_CRON ? sendWebhooks(env, execution) : ", ""],
    ],
    "worker/scheduled.ts": [
      "#app/features/webhooks",
      [/switches\.webhooks \? isUnwanted.*? : /, ""],
      ["DEAD_DAYS, ", ""],
    ],
    "wrangler.toml": ["The second sends webhooks", [', "*/2 * * * *"]', "]"]],
    "vitest.config.ts": [[', "./tests/support/webhook-receiver-setup.ts"', ""]],
  },
  Blog: {
    "app/routes.ts": ["blog-picture"],
    "app/layout/styles/deferred.css": ["pages/blog"],
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
    "app/routes/healthcheck.ts": [
      "#app/features/blog",
      "#app/switches.ts",
      [/\[report, blog\].*?\]\);/s, "report = await checkHealth(app);"],
      ["app.version, blog }", "app.version }"],
      [/ The blog's status is.*?Deployments check/s, " Deployments check"],
    ],
  },
  "Forms on other sites": { "app/routes.ts": ["routes/embed.tsx"] },
  "At the fair": {
    "worker/scheduled.ts": ["#app/features/fair", "closeTablets: when", ["...(switches.fair ? [fairJobs] : []), ", ""]],
    "tests/support/pool/busy-cron.ts": [
      "#tests/features/fair/pool/fair.ts",
      [/ {2}if \(switches\.fair\).*?\n {2}}\n/s, ""],
    ],
    "tests/browser/engines/every-engine.ts": ["#app/switches.ts", "signUpAtFair"],
  },
};

const guide = readFileSync(join(root, "docs", "make-it-yours.md"), "utf8");
const [, recipes = ""] = guide.split("\n## Remove a feature\n");

/** The guide's recipes. What it lists is carried out as it stands there. */
export const removals: Removal[] = recipes
  .split("\n### ")
  .slice(1)
  .filter((section) => section.includes("\n- `"))
  .map((section) => {
    const [feature = ""] = section.split("\n", 1);
    const rows = section.matchAll(/^\| `([^`]+)` \| (.*) \|$/gm);
    return {
      feature,
      first: /First remove \[(.+?)\]/.exec(section)?.[1],
      own: Array.from(section.matchAll(/^- `(.+)`$/gm), ([, pattern = ""]) => pattern),
      edits: Object.fromEntries(
        Array.from(rows, ([, file = "", what = ""]) => [file, details[feature]?.[file] ?? editsIn(what)]),
      ),
      packages: /`npm uninstall ([^`]+)`/.exec(section)?.[1]?.split(" ") ?? [],
    };
  });

for (const [feature, files] of Object.entries(details)) {
  const documented = removals.find((removal) => removal.feature === feature)?.edits ?? {};
  const missing = Object.keys(files).filter((file) => documented[file] !== files[file]);
  if (missing.length > 0) throw new Error(`docs/make-it-yours.md removes ${feature} without ${missing.join(", ")}`);
}

/** What a row of the guide's tables says: set a name to false, take exports back, or delete lines with names. */
function editsIn(what: string): Edit[] {
  const [, name] = /set `(\w+)` to `false`/.exec(what) ?? [];
  if (name !== undefined) return [[`${name} = true`, `${name} = false`]];
  const [, unexported] = /^(.*) needs? no `export`/.exec(what) ?? [];
  const names = Array.from((unexported ?? what).matchAll(/`(\w+)`/g), ([, each = ""]) => each);
  if (names.length === 0) throw new Error(`docs/make-it-yours.md: nothing is known about “${what}”`);
  return unexported === undefined ? names : names.map((each) => [RegExp(`export (?=\\w+ ${each}\\b)`), ""]);
}

/** Pages that name tests, which must exist. */
const testedPages = ["docs/security.md", "docs/security-review.md"];

/**
 * Carries out recipes in a copy of the site, with those that come first.
 *
 * @throws if something that they name is not there
 */
export function remove(folder: string, ...wanted: Removal[]): void {
  const all = new Set(
    wanted.flatMap((recipe) => [...removals.filter(({ feature }) => feature === recipe.first), recipe]),
  );
  const packages = [...all].flatMap((recipe) => recipe.packages ?? []);
  const changed = [
    ...[...all].flatMap(({ edits }) => Object.entries(edits)),
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
  // Some name the same files.
  for (const pattern of new Set([...all].flatMap((recipe) => recipe.own))) {
    const found = globSync(pattern, { cwd: folder });
    if (found.length === 0) throw new Error(`Nothing to delete: ${pattern}`);
    for (const name of found) rmSync(join(folder, name), { recursive: true });
  }
  for (const name of testedPages) {
    const page = readFileSync(join(folder, name), "utf8");
    const isGone = (test: string) => !existsSync(join(folder, test));
    writeFileSync(
      join(folder, name),
      page.replaceAll(/(?:, | and )?`(tests\/[^`]+)`/g, (mention, test: string) => (isGone(test) ? "" : mention)),
    );
  }
}

function edit(text: string, change: Edit, name: string): string {
  const after =
    typeof change === "string"
      ? text.replaceAll(new RegExp(`^.*${RegExp.escape(change)}.*\n`, "gm"), "")
      : text.replace(change[0], () => change[1]);
  if (after === text) throw new Error(`${name} has nothing like ${change}`);
  return after;
}
