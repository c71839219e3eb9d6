import { writeFileSync } from "node:fs";
import type { Reporter, SerializedError, TestModule } from "vitest/node";

/** Of one test, or of a file whose tests passed although something around them failed. */
export interface Result {
  name: string;
  status: "passed" | "failed" | "skipped";
  /** Why it failed: how its error begins. */
  reason?: string;
}

/** Of a reason, in characters. */
export const MAX_REASON = 600;

/**
 * Writes the results of a run to VITEST_RESULTS, with the errors that Vitest's own JSON report leaves out: those of hooks,
 * and those that nothing caught.
 */
export default class implements Reporter {
  onTestRunEnd(files: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const results = [...files.flatMap(resultsOf), ...unhandled.map((error) => failure("Uncaught", error))];
    writeFileSync(process.env["VITEST_RESULTS"] ?? "", JSON.stringify(results));
  }
}

function resultsOf(file: TestModule): Result[] {
  const name = file.relativeModuleId;
  const tests = Array.from(file.children.allTests(), (test): Result => {
    const { state, errors } = test.result();
    const reason = errors?.[0]?.message.slice(0, MAX_REASON) ?? "";
    return { name: `${name}: ${test.fullName}`, status: state === "pending" ? "skipped" : state, reason };
  });
  const errors = [file, ...file.children.allSuites()].flatMap((suite) => suite.errors());
  return [...tests, ...errors.map((error) => failure(name, error))];
}

function failure(where: string, { message, stack }: SerializedError): Result {
  const [beginning] = (stack ?? message).split(/\n(?=.*node_modules)/, 1);
  return { name: `${where}: ${beginning}`, status: "failed" };
}
