// Ends Wrangler when Cloudflare's runtime, workerd, has crashed or was killed, as for want of memory. Wrangler itself does not
// notice, and would wait for ever on a port where nothing responds.
import childProcess from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
import process from "node:process";

const { spawn } = childProcess;

/** @param {string} command */
childProcess.spawn = (command, ...rest) => {
  const child = spawn(command, ...rest);
  if (/workerd(\.exe)?$/.test(command)) watch(child);
  return child;
};
syncBuiltinESMExports();

/** @param {import("node:child_process").ChildProcess} child */
function watch(child) {
  child.once("exit", (code, signal) => {
    // Wrangler ends it with `kill`; Ctrl+C in a terminal reaches it directly.
    if (child.killed || code === 0 || signal === "SIGINT" || signal === "SIGTERM") return;
    console.error(
      `Cloudflare's runtime (workerd) has stopped: ${signal ?? `exit code ${code}`}. What was stored is safe; start it again.`,
    );
    process.exit(1);
  });
}
