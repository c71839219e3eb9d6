/** Attribute of the link or button that was pressed while a page is loading. Stylesheets show a bar meanwhile. */
export const BUSY = "data-busy";

/** Name of a meta element whose content the inline script logs in the browser's console. */
export const FAILURE_META = "failure";
