/** A step that did not work, as a message for the owner: what happened, and what to do. */
export class StepError extends Error {
  override name = "StepError";
  readonly parts: [what: string, todo: string];

  constructor(what: string, todo: string) {
    super(`${what}\n\n${todo}`);
    this.parts = [what, todo];
  }
}
