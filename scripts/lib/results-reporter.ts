import { writeFileSync } from "node:fs";
import type { FullConfig, Suite } from "@playwright/test/reporter";
import type { SerializedError, TestModule } from "vitest/node";

/** Of one test, or of a file whose tests passed although something around them failed. */
export interface Result {
  name: string;
  status: "passed" | "failed" | "skipped";
  /** Why it failed: how its error begins. */
  reason?: string;
}

/** Of a reason, in characters. */
const MAX_REASON = 600;

/** Writes the results of a run of Vitest or Playwright to the file in RESULTS. */
export default class {
  #browserTests: Suite | undefined;

  /** Called by Vitest. Its own JSON report leaves out the errors of hooks, and those that nothing caught. */
  onTestRunEnd(files: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    write([...files.flatMap(resultsOf), ...unhandled.map((error) => failure("Uncaught", error))]);
  }

  /** Called by Playwright. */
  onBegin(_: FullConfig, suite: Suite): void {
    this.#browserTests = suite;
  }

  /** Called by Playwright. */
  onEnd(): void {
    const tests = this.#browserTests?.allTests() ?? [];
    const results = tests.map((test): Result => {
      const [, , file, ...titles] = test.titlePath();
      const status = test.outcome() === "skipped" ? "skipped" : test.ok() ? "passed" : "failed";
      const [error] = test.results.flatMap(({ errors }) => errors);
      const reason = `line ${error?.location?.line}: ${error?.message ?? ""}`.slice(0, MAX_REASON);
      return { name: `${file}: ${titles.join(" ")}`, status, reason };
    });
    write(results);
  }
}

function write(results: Result[]): void {
  writeFileSync(process.env["RESULTS"] ?? "", JSON.stringify(results));
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
