// The waitlist from the command line, for the owner: npm run owner -- --help
import { runOwner } from "#scripts/owner/run.ts";

// Whoever reads stdout may have seen enough, as `head` has.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));

const code = await runOwner(process.argv.slice(2), {
  out: process.stdout,
  err: process.stderr,
  // Loaded when needed: help should not wait for the embedded runtime.
  open: async (where) => (await import("#scripts/owner/database.ts")).openDatabase(where),
});
// The embedded runtime would keep the process for seconds.
process.stdout.write("", () => process.exit(code));
