import { createElement, Fragment } from "react";
import { expect, test } from "vitest";
import { MAX_VARIANTS, markupOf } from "#app/ui/still.server.ts";

/** A component that counts how often it is rendered. */
function counting() {
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

test("content that never changes is rendered once", () => {
  const counted = counting();
  const content = createElement(counted.Greeting, { name: "Ada" });
  expect([markupOf(content), markupOf(content)].map(text)).toEqual(Array(2).fill("<p>Hello Ada &amp; all</p>"));
  expect(counted.renders).toBe(1);
});

test("a variant is rendered once, and no variant is taken for another", () => {
  const counted = counting();
  const greet = (name: string) => text(markupOf(createElement(counted.Greeting, { name }), { name }));
  expect(["Ada", "Grace", "Ada"].map(greet)).toEqual(
    ["Ada", "Grace", "Ada"].map((name) => `<p>Hello ${name} &amp; all</p>`),
  );
  expect(counted.renders).toBe(2);
});

test("the same facts of two components are two things", () => {
  const facts = { name: "Ada" };
  const Farewell = ({ name }: { name: string }) => createElement("p", null, `Goodbye ${name}`);
  expect(text(markupOf(createElement(counting().Greeting, facts), facts))).toContain("Hello");
  expect(text(markupOf(createElement(Farewell, facts), facts))).toContain("Goodbye");
});

test("a component with a variant for everybody does not fill the memory", () => {
  const counted = counting();
  const greet = (name: string) => markupOf(createElement(counted.Greeting, { name }), { name });
  greet("first");
  for (let n = 0; n < MAX_VARIANTS; n += 1) greet(`visitor ${n}`);
  expect(counted.renders).toBe(MAX_VARIANTS + 1);
  greet("first");
  expect(counted.renders).toBe(MAX_VARIANTS + 2);
});

test("shapes without content close themselves, other elements do not", () => {
  const shapes = createElement("svg", null, createElement("path", { d: "M0 0" }), createElement("circle"));
  const content = createElement(Fragment, null, shapes, createElement("p"));
  expect(text(markupOf(content))).toBe('<svg><path d="M0 0"/><circle/></svg><p></p>');
});
