import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { startFakeResend } from "#scripts/lib/resend-server.ts";

test("a sender that dies while it sends an email does not end the fake of Resend", async () => {
  const resend = await startFakeResend();
  const { hostname, port } = new URL(resend.url);
  const sender = connect(Number(port), hostname);
  sender.write("POST /emails HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n{");
  await once(sender, "data");
  sender.destroy();
  expect((await fetch(`${resend.url}/emails`, { method: "POST", body: "{}" })).status).toBe(401);
  expect(resend.accepted()).toEqual([]);
  await resend.stop();
});
