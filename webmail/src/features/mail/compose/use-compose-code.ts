import { type ComponentType, useEffect, useState } from 'react';
import { notify } from '../../../components/feedback/notify.ts';
import { useCurrentUser } from '../../../lib/current-user.ts';
import { wordsOf } from '../../../lib/i18n.ts';
import { loadModule, mayFetchAhead } from '../../../lib/load-module.ts';
import { unsentWords } from '../../../words/compose-unsent.ts';
import { composeRequests, type ComposeRequest, wakeKeys } from './compose-store.ts';
import type ComposeWindow from './ComposeWindow.tsx';
import type { startComposition } from './start-composition.ts';
import type { attachMessages } from './whole-messages.ts';
import { OpenMessage, showMessage } from './windows.ts';

export type WindowProps = Parameters<typeof ComposeWindow>[0];

/** The code of the window, which is large: an editor comes with it. */
export interface ComposeCode {
  Window: ComponentType<WindowProps>;
  start: typeof startComposition;
  attachMessages: typeof attachMessages;
}

let loaded: ComposeCode | null = null;
let underWay: Promise<ComposeCode> | null = null;

async function fetchCode(): Promise<ComposeCode> {
  const [{ default: Window }, { startComposition: start }, { attachMessages: attach }] = await loadModule(() =>
    Promise.all([import('./ComposeWindow.tsx'), import('./start-composition.ts'), import('./whole-messages.ts')]),
  );
  loaded = { Window, start, attachMessages: attach };
  return loaded;
}

/** Fetches the code once; a failure is forgotten, so that the next attempt asks again. */
function load(): Promise<ComposeCode> {
  underWay ??= fetchCode().finally(() => {
    underWay = null;
  });
  return loaded ? Promise.resolve(loaded) : underWay;
}

interface Wish {
  isWanted: boolean;
  requests: readonly ComposeRequest[];
  owner: string;
}

/**
 * The code of the window, once it is loaded. Requests made meanwhile open then. If the code can't
 * be loaded, the person is told, and the requests wait.
 */
export function useComposeCode({ isWanted, requests, owner }: Wish): { code: ComposeCode | null; isMissing: boolean } {
  const user = useCurrentUser();
  const [code, setCode] = useState(loaded);
  const [attempt, setAttempt] = useState(0);
  const [isMissing, setMissing] = useState(false);

  useEffect(() => {
    if (code || !(isWanted || mayFetchAhead())) return;
    setMissing(false);
    load().then(setCode, () => {
      setMissing(true);
      if (isWanted) sayMissing(() => setAttempt((old) => old + 1));
    });
  }, [code, isWanted, attempt, requests]);

  useEffect(() => {
    if (!code || !user || requests.length === 0) return;
    composeRequests.set([]);
    for (const request of requests) {
      const message = new OpenMessage(code.start(request, owner, user), { isKept: false });
      if (request.kind === 'forwardWhole') code.attachMessages(message, request.messages);
      showMessage(message);
    }
  }, [code, user, requests, owner]);

  return { code, isMissing };
}

function sayMissing(retry: () => void): void {
  const t = wordsOf(unsentWords);
  wakeKeys();
  notify.failure(t.notLoaded, { label: t.tryAgain, run: retry });
}
