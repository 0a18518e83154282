import { Component, type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { loadModule } from '../lib/load-module.ts';
import { reportFault } from '../lib/report-fault.ts';
import { wordsOf } from '../lib/i18n.ts';
import { feedbackWords } from '../words/feedback.ts';
import { notify } from './feedback/notify.ts';

type Load<P> = () => Promise<{ default: ComponentType<P> }>;

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
  let loaded: ComponentType<P> | null = null;
  const fetchIt = async (): Promise<ComponentType<P>> => {
    loaded ??= (await loadModule(load)).default;
    return loaded;
  };

  function Extra(props: P): ReactNode {
    const [Loaded, setLoaded] = useState(() => loaded);
    useEffect(() => {
      if (loaded) return;
      let isGone = false;
      fetchIt().then(
        (component) => !isGone && setLoaded(() => component),
        (error: unknown) => !isGone && sayMissing(error),
      );
      return () => {
        isGone = true;
      };
    }, []);
    if (!Loaded) return Waiting ? <Waiting /> : null;
    return (
      <Silent>
        <Loaded {...props} />
      </Silent>
    );
  }
  // a failure is reported when the extra is shown
  Extra.prepare = () => void fetchIt().catch(() => undefined);
  Extra.isReady = () => loaded !== null;
  return Extra;
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
