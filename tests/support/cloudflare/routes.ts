/** One call: what stands for the names in its path, in turn, its body, parsed unless it is a form, and its query. */
interface Call {
  ids: string[];
  body: ReturnType<JSON["parse"]>;
  form: () => Promise<FormData>;
  query: URLSearchParams;
}

/** Handlers by `METHOD /path/:name` within the account. They return the result. */
export type Routes = Record<string, (call: Call) => unknown>;

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
