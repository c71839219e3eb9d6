/** A session of the DevTools protocol, for what Playwright would disturb: it enables domains that slow scripts down. */
export interface DevToolsSession {
  /**
   * Sends a command. https://chromedevtools.github.io/devtools-protocol/
   *
   * @returns its result
   * @throws {Error} if Chromium refuses it
   */
  call: (method: string, params?: object) => Promise<unknown>;
  /** Calls `listener` with the parameters of each event of that name. */
  on: (event: string, listener: (params: Record<string, unknown>) => void) => void;
}

/** Opens an empty tab of the Chromium whose debugger listens on a port of this machine. */
export async function openTab(port: number): Promise<DevToolsSession> {
  const opened = await fetch(`http://127.0.0.1:${port}/json/new?about:blank`, { method: "PUT" });
  const { webSocketDebuggerUrl } = (await opened.json()) as { webSocketDebuggerUrl: string };
  const socket = new WebSocket(webSocketDebuggerUrl);
  const connected = Promise.withResolvers<void>();
  socket.onopen = () => connected.resolve();
  socket.onerror = () => connected.reject(new Error("Chromium's debugger did not answer"));
  await connected.promise;
  const calls: PromiseWithResolvers<unknown>[] = [];
  const listeners = new Map<string, (params: Record<string, unknown>) => void>();
  socket.onmessage = ({ data }) => {
    const { id, method, params, result, error } = JSON.parse(String(data));
    listeners.get(method)?.(params);
    if (error === undefined) calls[id]?.resolve(result);
    else calls[id]?.reject(new Error(`Chromium: ${error.message}`));
  };
  return {
    call: (method, params = {}) => {
      const answer = Promise.withResolvers<unknown>();
      socket.send(JSON.stringify({ id: calls.push(answer) - 1, method, params }));
      return answer.promise;
    },
    on: (event, listener) => void listeners.set(event, listener),
  };
}
