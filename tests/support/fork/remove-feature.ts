import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A recipe of "Remove a feature" in docs/make-it-yours.md. */
export interface Removal {
  feature: string;
  /** A feature that needs this one, and is removed first. */
  first?: string;
  /** The feature's own folders and files, as patterns. */
  own: string[];
  /** Other files, and what to change there: lines to delete, by what they contain, or texts to replace. */
  edits: Record<string, Edit[]>;
  /** Packages that nothing else uses, for `npm uninstall`. */
  packages?: string[];
}

type Edit = string | [search: string, replacement: string];

const firstSteps = "app/owner/overview/first-steps";

export const removals: Removal[] = [
  {
    feature: "Letters",
    first: "Follow-up emails",
    own: [
      "app/{email,owner,pages}/letters",
      "app/routes/letter*",
      "app/server/db/{measure-db,sql-batch}.server.ts",
      "scripts/bench/groups/letters.ts",
      "tests/app/{email,owner,pages}/letters",
      "tests/{built,browser,browser/owner}/*letters*",
      "tests/scripts/letter*",
      "tests/scripts/parser-growth.slow.test.ts",
      "tests/worker/killed-run*",
      "tests/app/owner/webhooks/change-paths.test.ts",
      "tests/app/owner/webhooks/payloads.test.ts",
      "worker/api/v1/routes/features/letters.ts",
      "tests/support/pool/{letter-harness,owners-letters,busy-cron}.ts",
      "docs/letters.md",
    ],
    edits: {
      "app/switches.ts": [["letters = true", "letters = false"]],
      "app/routes.ts": ["letter"],
      "app/layout/pages.ts": [
        "#app/pages/letters",
        "#app/switches.ts",
        ["[...linkedPages, ...(letters ? [lettersPage] : [])]", "linkedPages"],
        ["letters ? [letterPages] : []", "[]"],
        ["letters ? letterPages.newest : ", ""],
      ],
      "app/layout/styles/deferred.css": ["pages/letters"],
      "app/owner/routes.server.ts": ["lettersSection"],
      "worker/scheduled.ts": ["sendDueLetters"],
    },
    packages: ["mdast-util-from-markdown", "@types/mdast"],
  },
  {
    feature: "Follow-up emails",
    own: [
      "app/{email,owner}/series",
      "tests/app/{email,owner}/series",
      "tests/{built,browser/owner}/*series*",
      "tests/support/pool/*series*.ts",
      "docs/series.md",
    ],
    edits: {
      "app/switches.ts": [["series = true", "series = false"]],
      "app/owner/routes.server.ts": ["seriesSection"],
      "app/email/letters/cron.server.ts": [
        "#app/email/series",
        "#app/switches.ts",
        "const series =",
        ["the steps of the series and the letters", "the letters"],
        ["{ isDue, steps }", "{ isDue }"],
        ["switches.series ? seriesState : sql`NULL`", "sql`NULL`"],
        ["!isDue && !series?.isDue", "!isDue"],
        ["{ ...app, series }", "app"],
      ],
      "app/owner/letters/send-handlers.server.ts": ["#app/email/series", "#app/switches.ts", "hasSeries:"],
      "app/owner/letters/send-view.server.tsx": [
        "/** Whether follow-up emails are being sent, too. */",
        "hasSeries: boolean;",
        [
          `        {props.hasSeries ? (
          <p>
            Follow-up emails are on. If this letter announces the launch, send it at least a day after you{" "}
            <a href="/owner/series">switch them off</a>.
          </p>
        ) : null}
`,
          "",
        ],
      ],
      "app/waitlist/consent-wording.ts": ["The versions by which people agreed", "followUpVersions"],
    },
  },
  {
    feature: "Imports",
    own: [
      "app/owner/import",
      "app/waitlist/add-imported.server.ts",
      "scripts/owner/import.ts",
      "tests/app/owner/import",
      "tests/app/email/{imported,backlog}.test.ts",
      "tests/app/waitlist/{left-then-erased,my-data/self-erasure}.test.ts",
      "tests/scripts/parser-growth.slow.test.ts",
      "tests/{built,browser/owner,scripts/owner}/*import*",
      "tests/support/{import-files,owner-import}.ts",
      "tests/worker/killed-run*",
      "tests/app/owner/webhooks/change-paths.test.ts",
      "tests/support/pool/{imports,owner-import,busy-cron}.ts",
      "docs/import.md",
    ],
    edits: {
      "app/owner/routes.server.ts": ["importSection"],
      "worker/scheduled.ts": ["importPeople", "forgetImports"],
      "scripts/owner/run.ts": [
        "ImportError",
        "scripts/owner/import.ts",
        'add("import <file>"',
        "--consent-",
        "add the people; run it again",
        "--welcome",
      ],
      "app/waitlist/sources.ts": [["export const IMPORT_SOURCE", "const IMPORT_SOURCE"]],
      "tests/scripts/owner/commands.test.ts": ['["import"]', '["import", '],
    },
    packages: ["papaparse", "@types/papaparse"],
  },
  {
    feature: "Visits",
    own: [
      "app/waitlist/{visit,visit-counter,add-visits}.server.ts",
      "worker/middleware/count-visits.ts",
      "tests/app/owner/overview/groups.test.ts",
      "tests/app/waitlist/visit-counter.matrix.test.ts",
      "tests/{browser/visits.spec,worker/visits.test}.ts",
      "tests/scripts/parser-growth.slow.test.ts",
      "tests/worker/free-day.slow.test.ts",
      "docs/visits.md",
    ],
    edits: {
      "app/switches.ts": [["visits = true", "visits = false"]],
      "worker/app.ts": ["count-visits.ts", ['.get("*", countVisits, pageCache)', '.get("*", pageCache)']],
      "worker/scheduled.ts": [
        "visit-counter.server.ts",
        "VISITS_RETENTION_MONTHS } from",
        "  forgetVisits,",
        [
          "\nasync function forgetVisits({ db, now }: AppContext, { startedAt }: CronRun): Promise<void> {\n  if (isLastRunOfHour(startedAt)) await deleteVisitsBefore(db, utcDay(monthsBefore(now(), VISITS_RETENTION_MONTHS)));\n}\n",
          "",
        ],
        ["isMiddleRunOfHour, monthsBefore, utcDay }", "isMiddleRunOfHour }"],
      ],
    },
    packages: ["isbot", "crawler-user-agents"],
  },
  {
    feature: "API",
    own: [
      "app/owner/api-keys",
      "worker/api/v1",
      "tests/worker/api/v1",
      "tests/built/owner-api-keys.test.ts",
      "tests/browser/api-page.spec.ts",
      "tests/scripts/api-client.slow.test.ts",
      "tests/scripts/parser-growth.slow.test.ts",
      "tests/support/pool/api-*.ts",
      "tests/support/typescript-api.mjs",
      "docs/api.md",
    ],
    edits: {
      "app/switches.ts": [["api = true", "api = false"]],
      "app/owner/routes.server.ts": ["apiKeysSection"],
      "worker/api/index.ts": ["v1Route"],
    },
    packages: [
      "@valibot/to-json-schema",
      "@cfworker/json-schema",
      "@ts-morph/common",
      "openapi-fetch",
      "openapi-typescript",
    ],
  },
  {
    feature: "Tagged links",
    own: [
      "app/owner/links",
      "tests/built/{owner,print}-links.*",
      "tests/browser/owner/*links.*",
      "tests/scripts/parser-growth.slow.test.ts",
    ],
    edits: {
      "app/owner/routes.server.ts": ["linksSection"],
      [`${firstSteps}.server.ts`]: [
        "An owner has made a tagged link",
        "link: boolean",
        "#app/server/db/schema/owner.server.ts",
        "ownerLog.id",
        ["emails, entries, erased, links]", "emails, entries, erased]"],
        [", link: links.length > 0 }", " }"],
        ["{ email, signUp, link }", "{ email, signUp }"],
        ["email && signUp && link", "email && signUp"],
        ["{ eq, isNotNull }", "{ isNotNull }"],
      ],
      [`${firstSteps}-view.server.tsx`]: [
        [
          `        <Step done={steps.link} title="Make a link" result="You have made a link.">
          <p>Make a link for a fair or a post to see how many people it brings.</p>
          <ButtonLink label="Make a link" href="/owner/links" />
        </Step>
`,
          "",
        ],
        ["these three steps", "these two steps"],
      ],
    },
  },
  {
    feature: "Webhooks",
    own: [
      "app/owner/webhooks",
      "worker/webhooks.ts",
      "tests/app/owner/webhooks",
      "tests/{built,browser/owner}/*webhooks*",
      "tests/support/webhook-receiver*",
      "tests/support/pool/webhook-*",
      "docs/webhooks.md",
    ],
    edits: {
      "app/switches.ts": [["webhooks = true", "webhooks = false"]],
      "app/owner/routes.server.ts": ["webhooksSection"],
      "worker/index.ts": [
        "#app/switches.ts",
        [
          `/** The second trigger in wrangler.toml. It has runs of its own, so that a slow receiver delays no email. */
const WEBHOOKS_CRON = "*/2 * * * *";

async function sendWebhooks(env: Env, execution: ExecutionContext): Promise<void> {
  if (!webhooks) return;
  // On demand, because few sites have webhooks.
  const { runWebhooks } = await import("#worker/webhooks.ts");
  await runWebhooks(createAppContext(env, execution));
}

`,
          "",
        ],
        [
          `  scheduled: ({ cron }, env, execution) =>
    reportFailedRun(() => (cron === WEBHOOKS_CRON ? sendWebhooks(env, execution) : scheduled(env, execution))),
`,
          "  scheduled: (_controller, env, execution) => reportFailedRun(() => scheduled(env, execution)),\n",
        ],
      ],
      "wrangler.toml": ["The second sends webhooks", ['["* * * * *", "*/2 * * * *"]', '["* * * * *"]']],
      "vitest.config.ts": [
        [
          '["./tests/support/resend-setup.ts", "./tests/support/webhook-receiver-setup.ts"]',
          '"./tests/support/resend-setup.ts"',
        ],
      ],
      "tests/support/pool/provided.d.ts": ["webhook"],
    },
  },
  {
    feature: "Blog",
    own: [
      "app/pages/blog",
      "app/routes/blog-picture.ts",
      "tests/app/pages/blog",
      "tests/{browser/blog,built/blog.test.ts}",
      "tests/support/pool/blog.ts",
      "tests/scripts/parser-growth.slow.test.ts",
      "tests/support/browser/ghost-replies.ts",
      "tests/worker/free-day.slow.test.ts",
      "docs/ghost-blog.md",
    ],
    edits: {
      "app/switches.ts": [["blog = true", "blog = false"]],
      "app/routes.ts": ["blog-picture"],
      "app/layout/styles/deferred.css": ["pages/blog"],
      "app/routes/home.tsx": [
        "#app/pages/blog",
        "ConsoleError",
        "switches.blog",
        "posts: posts &&",
        ["posts !== null && (shown !== null || !hasNumbers)", "shown !== null || !hasNumbers"],
        ["[shown, letter, posts]", "[shown, letter]"],
        ["{ posts, supportUrl,", "{ supportUrl,"],
        [
          `
type BlogProps = Pick<Route.ComponentProps["loaderData"], "posts"> & { isLaunched: boolean };

function Blog({ posts, isLaunched }: BlogProps) {
  // The sample posts are about the time before the launch.
  return isLaunched && posts.length === 0 ? null : <BlogSection posts={posts} />;
}
`,
          "",
        ],
      ],
      "app/routes/healthcheck.ts": [
        "#app/pages/blog",
        "#app/switches.ts",
        [
          `  const [report, blog] = await Promise.all([
    checkHealth(app),
    switches.blog ? readBlogStatus(blogDeps(app)) : undefined,
  ]);
`,
          "  const report = await checkHealth(app);\n",
        ],
        ["version: app.version, blog }", "version: app.version }"],
        [
          ` The blog's status is informational and never
 * causes a 503. Deployments check`,
          "\n * Deployments check",
        ],
      ],
    },
  },
  {
    feature: "Forms on other sites",
    own: [
      "app/{owner,pages}/embed",
      "app/routes/embed.tsx",
      "app/waitlist/embedded-form.ts",
      "worker/middleware/embed-guards.ts",
      "tests/app/owner/embed",
      "tests/{built,browser,browser/owner}/*embed*",
      "tests/scripts/parser-growth.slow.test.ts",
      "tests/support/browser/other-site.ts",
      "tests/worker/middleware/embed-guards.test.ts",
      "docs/embed.md",
    ],
    edits: {
      "app/switches.ts": [["embed = true", "embed = false"]],
      "app/routes.ts": ["routes/embed.tsx"],
      "app/owner/routes.server.ts": ["embedSection"],
      "app/waitlist/sources.ts": [["export const EMBED_SOURCE", "const EMBED_SOURCE"]],
      "worker/app.ts": ["embedGuards"],
      "worker/middleware/form-guards.ts": [
        ["export function rejecting", "function rejecting"],
        ["export function unlessRead", "function unlessRead"],
        ["export function withoutBody", "function withoutBody"],
      ],
    },
  },
  {
    feature: "At the fair",
    own: [
      "app/{owner,pages,waitlist}/fair",
      "worker/fair",
      "tests/app/waitlist/fair",
      "tests/{built,browser,browser/owner,browser/engines,fork}/*fair*",
      "tests/worker/fair",
      "tests/support/browser/*{fair,tablet}*",
      "tests/support/pool/fair.ts",
      "docs/fair.md",
    ],
    edits: {
      "app/switches.ts": [["fair = true", "fair = false"]],
      "app/owner/routes.server.ts": ["fairSection"],
      "worker/app.ts": ["fairHeaders", "fairRoute"],
      "worker/scheduled.ts": [
        "#app/waitlist/fair",
        "addFairSignUps }",
        [
          `
/** Adds what tablets at fairs have sent, and once an hour closes those that have nothing left. */
async function addFairSignUps(app: AppContext, { startedAt, subrequests, until }: CronRun): Promise<void> {
  await addDue(app, app.workersPlan, { subrequests, until });
  if (isMiddleRunOfHour(startedAt)) await closeDevices(app.db, app.now());
}
`,
          "",
        ],
      ],
      "tests/support/pool/busy-cron.ts": [
        "#tests/support/pool/fair.ts",
        [
          `  if (switches.fair) {
    const tablet = await armedDevice({ now: start - 60 * MINUTE });
    for (const n of [1, 2, 3]) await tablet.store(\`fair\${n}@example.com\`, { at: start - n * MINUTE, now: start - 1 });
  }
`,
          "",
        ],
      ],
      "tests/browser/engines/every-engine.ts": ["#app/switches.ts", "signUpAtFair"],
    },
  },
];

/** Pages that name tests, which must exist. */
const testedPages = ["docs/security.md", "docs/security-review.md"];

/**
 * Carries out recipes in a copy of the site, with those that come first.
 *
 * @throws if something that they name is not there
 */
export function remove(folder: string, ...recipes: Removal[]): void {
  const all = new Set(
    recipes.flatMap((recipe) => [...removals.filter(({ feature }) => feature === recipe.first), recipe]),
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
      : text.replaceAll(change[0], () => change[1]);
  if (after === text) throw new Error(`${name} has nothing like ${change}`);
  return after;
}
