import { sendEmail } from '@selvage/core/contracts/mail';
import { useShortcuts } from '../../hooks/use-shortcuts.ts';
import { can } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { composeNew } from './ComposeButton.tsx';

/** Whether the person may write messages. If so, the key `c` begins one. */
export function useCompose(): boolean {
  const canCompose = can(useCurrentUser(), sendEmail);
  useShortcuts(canCompose ? { c: composeNew } : {});
  return canCompose;
}
