import { useFocusVisible } from '@fluentui/react-components';
import { useStore } from '@nanostores/react';
import { Fragment, useEffect, useLayoutEffect } from 'react';
import { Tips } from '../components/feedback/Tips.tsx';
import { Toasts } from '../components/feedback/Toasts.tsx';
import { confirmDialog as ConfirmDialog } from '../features/settings/hosts.ts';
import { waitingCall } from '../lib/confirm-first.ts';
import { useSubject } from '../lib/current-user.ts';
import { useLive } from './live/use-live.ts';
import { hosts } from './page-registry.ts';
import { keepChoicesSaved } from './save-choices.ts';
import { keepHour } from './keep-hour.ts';
import { keepShell } from './keep-shell.ts';

/**
 * What every screen has but no first paint needs. It is rendered beside the routes, so it survives
 * a change of page.
 */
export default function Afterwards() {
  const subject = useSubject();
  const call = useStore(waitingCall);
  useKeyboardFocus();
  useLive();
  useEffect(keepHour, []);
  useEffect(() => {
    if (subject === null) return;
    keepShell();
    return keepChoicesSaved();
  }, [subject]);
  return (
    <>
      <Toasts />
      <Tips />
      {subject !== null && (
        <Fragment key={subject}>
          {hosts.map((Host, index) => (
            <Host key={index} />
          ))}
          {call && <ConfirmDialog call={call} />}
        </Fragment>
      )}
    </>
  );
}

/**
 * Lets Fluent's controls show their focus ring to people who use the keyboard. Fluent's provider
 * would do the same.
 */
function useKeyboardFocus(): void {
  const ref = useFocusVisible<HTMLElement>();
  useLayoutEffect(() => {
    ref.current = document.getElementById('root');
  }, [ref]);
}
