import { createElement, Fragment } from "react";
import { expect, test } from "vitest";
import { MAX_VARIANTS, markupOf } from "#app/ui/still.server.ts";

/** A component that counts how often it is rendered. */
function countingComponent() {
  const counted = {
    renders: 0,
    Greeting: ({ name }: { name: string }) => {
      counted.renders += 1;
      return createElement("p", null, `Hello ${name} & all`);
    },
  };
  return counted;
}

const text = (markup: Uint8Array) => new TextDecoder().decode(markup);

test("constant content is rendered once", () => {
  const counted = countingComponent();
  const content = createElement(counted.Greeting, { name: "Ada" });
  expect([markupOf(content), markupOf(content)].map(text)).toEqual(Array(2).fill("<p>Hello Ada &amp; all</p>"));
  expect(counted.renders).toBe(1);
});

test("each variant is rendered once", () => {
  const counted = countingComponent();
  const greet = (name: string) => text(markupOf(createElement(counted.Greeting, { name }), { name }));
  expect(["Ada", "Grace", "Ada"].map(greet)).toEqual(
    ["Ada", "Grace", "Ada"].map((name) => `<p>Hello ${name} &amp; all</p>`),
  );
  expect(counted.renders).toBe(2);
});

test("components with the same data have separate markup", () => {
  const data = { name: "Ada" };
  const Farewell = ({ name }: { name: string }) => createElement("p", null, `Goodbye ${name}`);
  expect(text(markupOf(createElement(countingComponent().Greeting, data), data))).toContain("Hello");
  expect(text(markupOf(createElement(Farewell, data), data))).toContain("Goodbye");
});

test("variants of a component are capped", () => {
  const counted = countingComponent();
  const greet = (name: string) => markupOf(createElement(counted.Greeting, { name }), { name });
  greet("first");
  for (let n = 0; n < MAX_VARIANTS; n += 1) greet(`visitor ${n}`);
  expect(counted.renders).toBe(MAX_VARIANTS + 1);
  greet("first");
  expect(counted.renders).toBe(MAX_VARIANTS + 2);
});

test("empty SVG shapes are self-closing, other empty elements are not", () => {
  const shapes = createElement("svg", null, createElement("path", { d: "M0 0" }), createElement("circle"));
  const content = createElement(Fragment, null, shapes, createElement("p"));
  expect(text(markupOf(content))).toBe('<svg><path d="M0 0"/><circle/></svg><p></p>');
});
