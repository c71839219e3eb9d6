import { test } from "vitest";
import { parsePosts } from "#app/features/blog/post.server.ts";
import { expectLinear, type Parser } from "#tests/support/parser-growth.ts";

const parsers: Parser[] = [
  [
    "Ghost's posts",
    "https://blog.example/",
    (text) =>
      parsePosts({
        posts: [
          { title: text, url: text, excerpt: text, feature_image: text, published_at: text, tags: [{ name: text }] },
        ],
      }),
  ],
];

test.each(parsers)("the time of %s grows with its length", (_, before, parse) => expectLinear(before, parse));
