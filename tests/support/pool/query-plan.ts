import { env } from "cloudflare:test";

/** Names that statements give stored tables. */
const STORED =
  /^S\w+ (email|due|other|entry|member|email_\w+|letter\w*|waitlist_emails|suppressions|series_steps|page_visits)\b/;

/** Before tests capture what is logged. */
const print = console.info.bind(console);

/**
 * How SQLite reads the stored tables of a statement: each step once, without the look-ups by a whole key. Prints the
 * statement with its plan, as `sqlite3` shows it.
 */
export async function queryPlan(name: string, text: string): Promise<string[]> {
  const names: string[] = [];
  const numbered = text.replace(/:([a-z_]+)|\{[a-z_]+\}/g, (_, value: string | undefined) => {
    if (value === undefined) return "true";
    if (!names.includes(value)) names.push(value);
    return `?${names.indexOf(value) + 1}`;
  });
  const statement = env.DB.prepare(`EXPLAIN QUERY PLAN ${numbered}`).bind(...names.map(() => null));
  const { results } = await statement.all<{ detail: string }>();
  const plan = results.map(({ detail }) => detail);
  print(`-- ${name}\n${text};\n${plan.map((step) => `--   ${step}`).join("\n")}`);
  const steps = plan.filter((step) => STORED.test(step) && !/INTEGER PRIMARY KEY|sqlite_autoindex/.test(step));
  return [...new Set(steps)].toSorted();
}
