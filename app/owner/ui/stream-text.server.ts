import { logError } from "#app/server/log.ts";

/** A failure is logged and aborts the stream, so that a partial file is not mistaken for a complete one. */
export function streamText(chunks: AsyncGenerator<string>, failureEvent: string): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      } catch (error) {
        logError(failureEvent, error);
        controller.error(error);
      }
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
}
