// The owner's command line: npm run owner -- --help
import { runOwner } from "#scripts/owner/run.ts";

// A reader such as `head` may close the pipe early.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));

const code = await runOwner(process.argv.slice(2), {
  out: process.stdout,
  err: process.stderr,
  // Imported on demand, so that help does not wait for Wrangler.
  open: async (location) => (await import("#scripts/owner/database.ts")).openDatabase(location),
});
process.exitCode = code;
