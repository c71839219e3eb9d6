import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export const GHOST_CONTENT_KEY = "22444f78447824223cefc48062";

/** A content service with one post, whose picture lies on another origin. */
export async function startGhost(): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer((_request, response) => {
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify({ posts: [post] }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

const post = {
  title: "A post from the content service",
  excerpt: "With a picture that lies elsewhere.",
  feature_image: "https://pictures.example/stall.jpg",
  url: "https://blog.example/a-post/",
  published_at: "2025-02-01T09:00:00.000+00:00",
  tags: [],
  authors: [],
};
