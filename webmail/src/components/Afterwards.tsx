import { Tips } from './Tips.tsx';
import { Toasts } from './Toasts.tsx';

/** What every screen has but no first paint needs. */
export function Afterwards() {
  return (
    <>
      <Toasts />
      <Tips />
    </>
  );
}
