export type BlogErrorCode =
  /** A response without a success status. */
  | "not-ok"
  | "timeout"
  | "unreachable"
  | "too-large"
  /** Not JSON, or JSON without a list of posts. */
  | "malformed"
  /** A private network address, or not a web address. */
  | "forbidden-address"
  | "too-many-redirects"
  | "not-a-picture";

/** Why fetching posts or a picture failed. */
export class BlogError extends Error {
  override name = "BlogError";
  readonly code: BlogErrorCode;
  /** Log fields: a status, a host, Ghost's error code. */
  readonly details: Record<string, string | number>;

  constructor(code: BlogErrorCode, message: string, details: Record<string, string | number> = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.details = details;
  }
}
