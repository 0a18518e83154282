import { Component, type ReactNode } from 'react';
import { isMissingPart } from '../../lib/load-module.ts';
import { reportFault } from '../../lib/report-fault.ts';
import { Crash } from './Crash.tsx';

interface Props {
  /** The place on the screen. Another value, such as after a navigation, tries again. */
  place: string;
  /** Shows nothing instead of a failure, for a part that the screen can do without. */
  isSilent?: boolean;
  children: ReactNode;
}

interface State {
  error: unknown;
  place: string;
}

/**
 * Shows a page with a way out where a screen failed, until the person goes elsewhere. The failure
 * is reported to the server.
 */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: null, place: this.props.place };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error: error ?? new Error('null or undefined was thrown') };
  }

  static getDerivedStateFromProps({ place }: Props, state: State): State | null {
    return place === state.place ? null : { error: null, place };
  }

  override componentDidCatch(error: unknown): void {
    reportFault(error);
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    if (this.props.isSilent) return null;
    return <Crash isMissing={isMissingPart(error)} />;
  }
}
