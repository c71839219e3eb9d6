export type BlogErrorCode =
  /** The server answered, with a status that is no success. */
  | "not-ok"
  | "timeout"
  | "unreachable"
  | "too-large"
  /** No JSON, or JSON without a list of posts. */
  | "malformed"
  /** A place on a private network, or no web address at all. */
  | "forbidden-address"
  | "too-many-redirects"
  | "not-a-picture";

/** Why posts or a picture could not be had from another server. */
export class BlogError extends Error {
  override name = "BlogError";
  readonly code: BlogErrorCode;
  /** Facts for the log line: a status, a host, the other side's own code. */
  readonly facts: Record<string, string | number>;

  constructor(code: BlogErrorCode, message: string, facts: Record<string, string | number> = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.facts = facts;
  }
}
