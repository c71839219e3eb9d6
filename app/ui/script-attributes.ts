/** Attribute of the link or button that was pressed while a page is loading. Stylesheets show a bar meanwhile. */
export const BUSY = "data-busy";
