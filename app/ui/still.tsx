import { type ComponentProps, type ComponentType, createElement, type ReactElement, use } from "react";
import { DocumentContext } from "#app/ui/document-context.ts";

type Tag = "div" | "footer" | "form" | "header" | "section" | "svg" | "ul";

type ElementProps<T extends Tag> = Omit<ComponentProps<T>, "children" | "content"> & { as: T };

type StillProps<T extends Tag> = ElementProps<T> & {
  /** A constant, created outside of any component. */
  content: ReactElement;
};

/*
 * The server renders content that many visitors share once and caches its markup; in the browser it is ordinary React.
 * Such content is rendered in isolation: it cannot use context (on the server `PageLink` does not), `useId` or elements
 * that React hoists or preloads (titles, metas, stylesheets, images that are not lazy).
 */

/** An element whose content never changes, such as most of the landing page. */
export function Still<T extends Tag>({ as, content, ...props }: StillProps<T>) {
  const context = use(DocumentContext);
  return context === null ? createElement(as, props, content) : withMarkup(as, props, context.placeholderFor(content));
}

type StillForProps<T extends Tag, Data extends object, Handlers extends object> = ElementProps<T> & {
  component: ComponentType<Data & Handlers>;
  /** All props that determine the markup: JSON-serialisable, with few distinct values. */
  data: Data;
  /** Props that do not affect the markup: functions and refs. */
  handlers?: Handlers;
  /** The data belongs to one visitor, so the markup is not cached. */
  isPersonal?: boolean;
};

/** An element whose content depends only on `data`. */
export function StillFor<T extends Tag, Data extends object, Handlers extends object>({
  as,
  component,
  data,
  handlers,
  isPersonal = false,
  ...props
}: StillForProps<T, Data, Handlers>) {
  const context = use(DocumentContext);
  const content = createElement(component, Object.assign({}, data, handlers));
  return context === null || isPersonal
    ? createElement(as, props, content)
    : withMarkup(as, props, context.placeholderFor(content, data));
}

function withMarkup(as: Tag, props: object, markup: string): ReactElement {
  return createElement(as, { ...props, dangerouslySetInnerHTML: { __html: markup } });
}
