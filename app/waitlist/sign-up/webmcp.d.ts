import "react";

/**
 * Attributes that expose a form to the visitor's AI assistant.
 * https://developer.chrome.com/docs/ai/webmcp
 */
declare module "react" {
  interface FormHTMLAttributes<T> extends HTMLAttributes<T> {
    /** Unique on its page. */
    toolname?: string;
    tooldescription?: string;
  }

  interface InputHTMLAttributes<T> extends HTMLAttributes<T> {
    toolparamdescription?: string;
  }
}
