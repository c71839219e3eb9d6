import { Link } from "react-router";

/** The way back from a page that stands beside the landing page. */
export function BackHome() {
  return (
    <p className="back-home">
      <Link className="button button-quiet" to="/" viewTransition>
        Back to home
      </Link>
    </p>
  );
}
