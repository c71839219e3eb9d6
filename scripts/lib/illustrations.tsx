import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { icons as landingIcons } from "#app/features/landing/icons.tsx";
import { Bunting } from "#app/ui/illustrations/bunting.tsx";
import { Logo } from "#app/ui/illustrations/logo.tsx";
import { MarketScene } from "#app/ui/illustrations/market-scene.tsx";
import { PostPlaceholder } from "#app/ui/illustrations/post-placeholder.tsx";
import { postScenes } from "#app/ui/illustrations/post-scenes.tsx";
import { productScenes } from "#app/ui/illustrations/product-scenes.tsx";
import { SharedParts } from "#app/ui/illustrations/shared-parts.tsx";

export const logo = renderToStaticMarkup(<Logo />);
/** Scenes refer to them. */
export const sharedParts = renderToStaticMarkup(<SharedParts />);
export const market = renderToStaticMarkup(<MarketScene />);
export const bunting = renderToStaticMarkup(<Bunting />);

/** The pictures of the sample posts, by file name in public/posts. */
export const scenes = render(postScenes);

/** The pictures of the two sides, by file name in public/sides. */
export const sides = render(productScenes);

/** The icons of the landing page, by the name of their view in public/icons.svg. */
export const icons = render(landingIcons);

/** Shown for pictures of posts that cannot be fetched, by file name in public/posts. */
export const postPlaceholders = render({
  "stall-1": <PostPlaceholder index={0} />,
  "stall-2": <PostPlaceholder index={1} />,
  "stall-3": <PostPlaceholder index={2} />,
});

function render(scenes: Record<string, ReactElement>): [name: string, svg: string][] {
  return Object.entries(scenes).map(([name, scene]) => [name, renderToStaticMarkup(scene)]);
}
