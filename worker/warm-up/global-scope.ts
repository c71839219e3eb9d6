/*
 * Evaluating the Worker's modules, the runtime refuses timers, random values, and requests and responses with a body that
 * is not a stream. https://developers.cloudflare.com/workers/runtime-apis/handlers/
 */

/** Runs work that needs these, with stand-ins in their place. None of its results may be kept. */
export async function withStandIns(work: () => Promise<unknown>): Promise<void> {
  const { setTimeout, clearTimeout, Request, Response, console, crypto } = globalThis;
  Object.assign(globalThis, {
    setTimeout: () => 0,
    clearTimeout: () => {},
    Request: StandInRequest,
    Response: StandInResponse,
    console: new Proxy(console, { get: () => () => {} }),
  });
  Object.assign(crypto, {
    getRandomValues: <T>(bytes: T) => bytes,
    randomUUID: () => "00000000-0000-4000-8000-000000000000",
  });
  try {
    await work();
  } finally {
    Object.assign(globalThis, { setTimeout, clearTimeout, Request, Response, console });
    for (const method of ["getRandomValues", "randomUUID"]) Reflect.deleteProperty(crypto, method);
  }
}

class StandInResponse extends Response {
  constructor(body?: BodyInit | null, init?: ResponseInit) {
    super(typeof body === "string" || body instanceof Uint8Array ? streamOf(body) : body, init);
  }

  static override json(value: unknown, init?: ResponseInit): Response {
    return new StandInResponse(JSON.stringify(value), init);
  }

  override async text(): Promise<string> {
    let text = "";
    const decoder = new TextDecoder();
    for await (const chunk of this.body ?? []) text += decoder.decode(chunk, { stream: true });
    return text;
  }
}

class StandInRequest extends Request {
  readonly #body: string;

  constructor(input: RequestInfo | URL, { body, ...init }: RequestInit = {}) {
    super(input, init);
    this.#body = typeof body === "string" ? body : input instanceof StandInRequest ? input.#body : "";
  }

  override get body() {
    return this.#body === "" ? null : streamOf(this.#body);
  }

  override async text(): Promise<string> {
    return this.#body;
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    return new TextEncoder().encode(this.#body).buffer;
  }

  override async formData(): Promise<FormData> {
    const form = new FormData();
    for (const [name, value] of new URLSearchParams(this.#body)) form.append(name, value);
    return form;
  }
}

function streamOf(body: string | Uint8Array): ReadableStream<Uint8Array> {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  return new ReadableStream({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
}
