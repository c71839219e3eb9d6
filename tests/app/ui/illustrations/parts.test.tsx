import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { MarketScene } from "#app/ui/illustrations/market-scene.tsx";
import { PostPlaceholder } from "#app/ui/illustrations/post-placeholder.tsx";
import { productScenes } from "#app/ui/illustrations/product-scenes.tsx";
import { SharedParts } from "#app/ui/illustrations/shared-parts.tsx";

const shared = renderToStaticMarkup(<SharedParts />);
const names = Array.from(shared.matchAll(/ id="(\w+)"/g), ([, name]) => name);

test.each([
  ["the market", <MarketScene key="market" />],
  ["a host", productScenes.host],
  ["a stallholder", productScenes.stallholder],
  ["a post", <PostPlaceholder key="post" index={0} />],
])("the picture of %s has no parts of its own, and uses parts that exist", (_, picture) => {
  const markup = renderToStaticMarkup(picture);
  expect(markup).not.toContain("<defs");
  const used = Array.from(markup.matchAll(/href="#(\w+)"|url\(#(\w+)\)/g), ([, part, fill]) => part ?? fill);
  expect(used.filter((part) => part === "person" || part === "body")).not.toEqual([]);
  expect(names).toEqual(expect.arrayContaining(used));
});
