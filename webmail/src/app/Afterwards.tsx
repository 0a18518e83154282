import { Tips } from '../components/feedback/Tips.tsx';
import { Toasts } from '../components/feedback/Toasts.tsx';
import { useCurrentUser } from '../lib/current-user.ts';
import { hosts } from './page-registry.ts';
import { useRealtime } from './use-realtime.ts';

/** What every screen has but no first paint needs. It stands beside the routes, so no change of page takes it away. */
export default function Afterwards() {
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
