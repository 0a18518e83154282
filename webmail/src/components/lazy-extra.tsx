import { Component, type ComponentType, createElement, type ReactNode, useCallback, useRef } from 'react';
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

interface Options<P> {
  /** Stands in its place until it is there. */
  Waiting?: ComponentType;
  /**
   * Called with its properties when it cannot be fetched or breaks, so that its owner no longer
   * counts it as open. Without it, `onClose` of the properties is called, if there is one.
   */
  onMissing?: (props: P) => void;
}

/**
 * A part of a screen that is fetched when it is first needed: a menu, a dialog, the toasts. When it
 * cannot be fetched or breaks, it is missing and a toast says so; the screen around it stays. Each
 * appearance tries again.
 */
export function lazyExtra<P extends object>(load: Load<P>, { Waiting, onMissing = close }: Options<P> = {}): Extra<P> {
  const { prepare, isReady, useComponent } = lazyComponent(load);
  function Extra(props: P): ReactNode {
    const latest = useRef(props);
    latest.current = props;
    const handleFailure = useCallback((error: unknown): void => {
      sayMissing(error);
      onMissing(latest.current);
    }, []);
    const Loaded = useComponent(handleFailure);
    if (!Loaded) return Waiting ? <Waiting /> : null;
    return <Silent onFailure={handleFailure}>{createElement(Loaded, props)}</Silent>;
  }
  return Object.assign(Extra, { prepare, isReady });
}

/** Menus are told what was pressed; here nothing was. */
function close(props: { onClose?: (event: { target: null }) => void }): void {
  props.onClose?.({ target: null });
}

function sayMissing(error: unknown): void {
  const t = wordsOf(feedbackWords);
  reportFault(error);
  notify.failure(t.partMissing, { label: t.reload, run: () => window.location.reload() });
}

interface SilentProps {
  children: ReactNode;
  onFailure: (error: unknown) => void;
}

/** Leaves out what breaks. */
class Silent extends Component<SilentProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override componentDidCatch(error: unknown): void {
    this.props.onFailure(error);
  }

  override render(): ReactNode {
    return this.state.hasFailed ? null : this.props.children;
  }
}
