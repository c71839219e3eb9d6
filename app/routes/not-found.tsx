import { data } from "react-router";
import { NotFoundPage } from "#app/layout/error-page.tsx";

export const handle = { page: { styles: "layout/error-page.css" } };

/**
 * Every address that no other route knows. A page like any other, and not a thrown error: leaving the error boundary
 * would take the whole document down, its stylesheet with it.
 */
export function loader() {
  return data(null, { status: 404 });
}

export default function NotFound() {
  return <NotFoundPage />;
}
