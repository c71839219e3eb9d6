import { Component, type ReactNode } from "react";
import { ErrorPage } from "#app/layout/error-page.tsx";
import { restorePage } from "#app/layout/hydration/restore-page.ts";
import { DeferredStyles } from "#app/layout/styles/styles.tsx";

interface ErrorCatcherProps {
  /** Changes with each navigation, which tries to render again. */
  locationKey: string;
  children: ReactNode;
}

interface State {
  error: unknown;
  locationKey: string;
}

/**
 * Catches errors of the page frame inside the body. React Router's own boundary renders the whole document again, whose
 * inline scripts Trusted Types would not let it recreate. Before hydration is complete, the server's page stays.
 */
export class ErrorCatcher extends Component<ErrorCatcherProps, State> {
  override state: State = { error: null, locationKey: this.props.locationKey };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error: error ?? new Error("Nothing was thrown") };
  }

  static getDerivedStateFromProps({ locationKey }: ErrorCatcherProps, state: State): Partial<State> | null {
    return locationKey === state.locationKey ? null : { error: null, locationKey };
  }

  override componentDidCatch(): void {
    restorePage();
  }

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children;
    return (
      <>
        <ErrorPage error={this.state.error} />
        <DeferredStyles />
      </>
    );
  }
}
