import { sendEmail } from '@selvage/core/contracts/mail';
import { useShortcuts } from '../../hooks/use-shortcuts.ts';
import { can } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { composeNew } from './ComposeButton.tsx';

/** Says whether the person may write, and has the key `c` begin a message then. */
export function useCompose(): boolean {
  const canCompose = can(useCurrentUser(), sendEmail);
  useShortcuts(canCompose ? { c: composeNew } : {});
  return canCompose;
}
