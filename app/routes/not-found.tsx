import { data } from "react-router";
import { NotFoundPage } from "#app/layout/error-page.tsx";

export const handle = { page: { styles: "layout/error-page.css" } };

/**
 * The catch-all route. A normal page rather than a thrown error: navigating away from the error boundary would unmount
 * the whole document, stylesheets included.
 */
export function loader() {
  return data(null, { status: 404 });
}

export default function NotFound() {
  return <NotFoundPage />;
}
