import { Component, type ComponentType, createElement, type ReactNode } from 'react';
import { reportFault } from '../lib/report-fault.ts';
import { wordsOf } from '../lib/i18n.ts';
import { feedbackWords } from '../words/feedback.ts';
import { notify } from './feedback/notify.ts';
import { type Load, lazyComponent } from './lazy-component.ts';

interface Extra<P> {
  (props: P): ReactNode;
  /** Begins to fetch it, for the moment a pointer comes near. */
  prepare: () => void;
  /** Whether it is there, so that it appears at once. */
  isReady: () => boolean;
}

/**
 * A part of a screen that is fetched when it is first needed: a menu, a dialog, the toasts. When it
 * cannot be fetched or breaks, it is missing and a toast says so; the screen around it stays. Each
 * appearance tries again. `Waiting` stands in its place until it is there.
 */
export function lazyExtra<P extends object>(load: Load<P>, Waiting?: ComponentType): Extra<P> {
  const { prepare, isReady, useComponent } = lazyComponent(load);
  function Extra(props: P): ReactNode {
    const Loaded = useComponent(sayMissing);
    if (!Loaded) return Waiting ? <Waiting /> : null;
    return <Silent>{createElement(Loaded, props)}</Silent>;
  }
  return Object.assign(Extra, { prepare, isReady });
}

function sayMissing(error: unknown): void {
  const t = wordsOf(feedbackWords);
  reportFault(error);
  notify.failure(t.partMissing, { label: t.reload, run: () => window.location.reload() });
}

/** Leaves out what breaks. */
class Silent extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override componentDidCatch(error: unknown): void {
    sayMissing(error);
  }

  override render(): ReactNode {
    return this.state.hasFailed ? null : this.props.children;
  }
}
