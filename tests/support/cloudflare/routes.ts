/** Handles one call: receives the pattern's groups, the body, its type and the query, and returns the result. */
export type Handler = (groups: string[], body: Buffer, type: string, query: URLSearchParams) => unknown;

/** Patterns of `METHOD /path` within the account, with their handlers. */
export type Routes = [RegExp, Handler][];

/** An error response, with the code that tools check. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}
