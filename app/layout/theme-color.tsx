import { use } from "react";
import { DocumentContext } from "#app/layout/document-context.ts";

/** The colour of the browser's own bar. Rendered by the server only: the client bundle does not contain the palette. */
export function ThemeColor() {
  const colours = use(DocumentContext)?.themeColor;
  if (colours === undefined) return null;
  return (
    <>
      <meta name="theme-color" content={colours.light} media="(prefers-color-scheme: light)" />
      <meta name="theme-color" content={colours.dark} media="(prefers-color-scheme: dark)" />
    </>
  );
}
