import { useFocusVisible } from '@fluentui/react-components';
import { useLayoutEffect } from 'react';
import { Tips } from '../components/feedback/Tips.tsx';
import { Toasts } from '../components/feedback/Toasts.tsx';
import { useCurrentUser } from '../lib/current-user.ts';
import { hosts } from './page-registry.ts';
import { useRealtime } from './use-realtime.ts';

/** What every screen has but no first paint needs. It stands beside the routes, so no change of page takes it away. */
export default function Afterwards() {
  useKeyboardFocus();
  useRealtime(useCurrentUser()?.email);
  return (
    <>
      <Toasts />
      <Tips />
      {hosts.map((Host, index) => (
        <Host key={index} />
      ))}
    </>
  );
}

/** Lets Fluent's controls show their focus ring to people who use the keyboard, which its provider would do. */
function useKeyboardFocus(): void {
  const ref = useFocusVisible<HTMLElement>();
  useLayoutEffect(() => {
    ref.current = document.getElementById('root');
  }, [ref]);
}
