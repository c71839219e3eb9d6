/** Answers one call: what the pattern's groups matched, the body, and its type. */
export type Handler = (groups: string[], body: Buffer, type: string) => unknown;

/** `METHOD /path` within the account, and who answers it. */
export type Routes = [RegExp, Handler][];

/** Cloudflare's errors have a status, and a code that tools look at. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}
