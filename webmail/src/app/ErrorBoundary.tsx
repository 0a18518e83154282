import { Component, type ReactNode } from 'react';
import { Crash } from '../components/Crash.tsx';

interface Props {
  children: ReactNode;
}

/** The last net: a fault in a screen becomes a page with a way out instead of a blank one. */
export class ErrorBoundary extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    return this.state.hasFailed ? <Crash /> : this.props.children;
  }
}
