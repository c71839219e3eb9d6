import { type ComponentProps, type ComponentType, createElement, type ReactElement, use } from "react";
import { DocumentContext } from "#app/ui/document-context.ts";

type Tag = "div" | "footer" | "form" | "header" | "section" | "svg" | "ul";

type ElementProps<T extends Tag> = Omit<ComponentProps<T>, "children" | "content"> & { as: T };

type StillProps<T extends Tag> = ElementProps<T> & {
  /** Made once, outside of any component. */
  content: ReactElement;
};

/*
 * What is the same for many visitors, the server writes out once and not for each of them; to the browser it is an
 * element like others. It is written on its own, away from the page: it can use no context and no `useId`, which links
 * of ours do not, and hold nothing that React puts elsewhere (titles, metas, stylesheets, pictures that are not lazy).
 */

/** An element whose content never changes, as most of the landing page. */
export function Still<T extends Tag>({ as, content, ...props }: StillProps<T>) {
  const facts = use(DocumentContext);
  return facts === null ? createElement(as, props, content) : written(as, props, facts.markOf(content));
}

type StillForProps<T extends Tag, Facts extends object, Handlers extends object> = ElementProps<T> & {
  of: ComponentType<Facts & Handlers>;
  /** Everything that its markup follows from, and few in number: plain data, as JSON can hold. */
  facts: Facts;
  /** What does not show: functions and refs. */
  handlers?: Handlers;
  /** They are one visitor's, for whom alone it is written then. */
  arePersonal?: boolean;
};

/** An element whose content is the same for all visitors to whom the same facts apply. */
export function StillFor<T extends Tag, Facts extends object, Handlers extends object>({
  as,
  of,
  facts,
  handlers,
  arePersonal = false,
  ...props
}: StillForProps<T, Facts, Handlers>) {
  const server = use(DocumentContext);
  const content = createElement(of, Object.assign({}, facts, handlers));
  return server === null || arePersonal
    ? createElement(as, props, content)
    : written(as, props, server.markOf(content, facts));
}

function written(as: Tag, props: object, mark: string): ReactElement {
  return createElement(as, { ...props, dangerouslySetInnerHTML: { __html: mark } });
}
