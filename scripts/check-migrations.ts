// Fails if a migration breaks or loses a trigger.
import { findTriggerProblem } from "#scripts/lib/migration-triggers.ts";

const problem = findTriggerProblem();
if (problem !== null) {
  console.error(problem);
  process.exit(1);
}
