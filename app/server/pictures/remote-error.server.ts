export type RemoteErrorCode =
  /** A response without a success status. */
  | "not-ok"
  | "timeout"
  | "unreachable"
  | "too-large"
  /** Not JSON, or not the expected JSON. */
  | "malformed"
  /** A list of posts, none of which can be shown. */
  | "unusable-posts"
  /** A private network address, or not a web address. */
  | "forbidden-address"
  | "too-many-redirects"
  | "not-a-picture";

export class RemoteError extends Error {
  override name = "RemoteError";
  readonly code: RemoteErrorCode;
  /** Log fields: a status, a host, Ghost's error code. */
  readonly details: Record<string, string | number>;

  constructor(code: RemoteErrorCode, message: string, details: Record<string, string | number> = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.details = details;
  }
}
