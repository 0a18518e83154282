import { useStore } from '@nanostores/react';
import { can } from '../../../lib/can.ts';
import { useCurrentUser } from '../../../lib/current-user.ts';
import type { OpenMessage } from './windows.ts';

interface Reminder {
  /** When the sender is reminded unless an answer comes. */
  remindAt: string | null;
  /** Left out for people who may not change what they have sent. */
  onRemind: ((at: Date) => void) | undefined;
}

/** The reminder of a message that is being written. */
export function useReminder(message: OpenMessage): Reminder {
  const { remindAt = null } = useStore(message.composition);
  const mayRemind = can(useCurrentUser(), { model: 'sent', action: 'edit' });
  return { remindAt, onRemind: mayRemind ? (at) => message.write({ remindAt: at.toISOString() }) : undefined };
}
