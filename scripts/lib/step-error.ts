/** A failed step, with a message for the owner: the problem, and what to do. */
export class StepError extends Error {
  override name = "StepError";

  constructor(problem: string, remedy: string) {
    super(`${problem}\n\n${remedy}`);
  }
}
