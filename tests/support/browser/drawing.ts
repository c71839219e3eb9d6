import type { Page } from "@playwright/test";

/** What is wrong with the drawings at the top of the landing page: one line for each cut shape and each loose end. */
export function drawingFaults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const drawings = Array.from(document.querySelectorAll<SVGSVGElement>(".large-logo svg, .hero svg"));
    const market = document.querySelector(".market") as SVGSVGElement;
    return [...drawings.flatMap(cutShapes), ...loosePosts(), ...looseWires()];

    /**
     * Shapes that cross an edge of their drawing or of the page. Only the landscape runs across the whole width. Light
     * fades out and may pass the sides, but cut at the top or bottom it would end in a line.
     */
    function cutShapes(drawing: SVGSVGElement): string[] {
      const edge = drawing.getBoundingClientRect();
      const shapes = Array.from(drawing.querySelectorAll<SVGGraphicsElement>("use, path, circle")).filter(
        (shape) => !shape.closest("defs") && !shape.matches(".far, .hill, .grass, .trail, .night"),
      );
      const lit = shapes.map((shape) => shape.getBoundingClientRect());
      const lights = Array.from(document.querySelectorAll<SVGElement>("defs .night"));
      for (const light of lights) light.style.display = "none";
      const unlit = shapes.map((shape) => shape.getBoundingClientRect());
      for (const light of lights) light.style.removeProperty("display");
      return shapes
        .filter((_, index) => {
          const [{ top, bottom }, { left, right, width }] = [lit[index] as DOMRect, unlit[index] as DOMRect];
          const isOutside =
            left < edge.left - 1 || right > edge.right + 1 || top < edge.top - 1 || bottom > edge.bottom + 1;
          return width > 0 && (isOutside || left < -1 || right > document.documentElement.clientWidth + 1);
        })
        .map((shape) => `cut: ${(shape.closest("[transform]") ?? shape).outerHTML.slice(0, 100)}`);
    }

    function visible(selector: string): SVGPathElement[] {
      return Array.from(market.querySelectorAll<SVGPathElement>(selector)).filter(
        (path) => !path.closest("defs") && path.getBoundingClientRect().height > 0,
      );
    }

    function loosePosts(): string[] {
      const ground = visible(".grass, .hill");
      return visible(".pole")
        .filter((post) => {
          const foot = post.getPointAtLength(post.getTotalLength());
          return !ground.some((area) => area.isPointInFill(foot));
        })
        .map((post) => `does not stand on the ground: ${post.outerHTML}`);
    }

    function looseWires(): string[] {
      const posts = visible(".pole").map((post) => post.getBBox());
      const isOnPost = ({ x, y }: DOMPoint) =>
        posts.some((post) => Math.abs(post.x - x) <= 3 && y >= post.y && y <= post.y + post.height);
      return visible(".string")
        .filter((wire) => ![0, wire.getTotalLength()].every((at) => isOnPost(wire.getPointAtLength(at))))
        .map((wire) => `does not end at a post: ${wire.outerHTML}`);
    }
  });
}

/** Texts above the market that a lamp post, a wire, a stall or a person touches. */
export function coveredWords(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const shapes = Array.from(document.querySelectorAll(".bow :is(use, path), .market :is(use, .pole, .string, .sun)"))
      .filter((shape) => !shape.closest("defs"))
      .map((shape) => shape.getBoundingClientRect())
      .filter(({ width, height }) => width + height > 0);
    const words = document.querySelectorAll(".large-logo-tagline, .hero-words :is(h1, p, .sign-up-label)");
    return Array.from(words)
      .filter((element) => textBoxes(element).some((text) => shapes.some((shape) => overlap(text, shape))))
      .map((element) => element.textContent ?? "");

    function textBoxes(element: Element): DOMRect[] {
      const range = document.createRange();
      range.selectNodeContents(element);
      return Array.from(range.getClientRects());
    }

    function overlap(one: DOMRect, other: DOMRect): boolean {
      return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
    }
  });
}
