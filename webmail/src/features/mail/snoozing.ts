import type { EmailRowDto } from '@selvage/core/contracts/email';
import { atom } from 'nanostores';
import { forgetWithPerson } from '../../lib/forget.ts';
import { belongsTo } from './folder-rules.ts';
import type { StatusPatch } from './use-change-status.ts';

/** An open question for a time. */
interface Asked {
  /** Until when the messages sleep already, ISO 8601; null when one of them is awake. */
  until: string | null;
  onChosen: (patch: StatusPatch) => void;
}

/** The question of the dialog; null while it is closed. */
export const snoozing = atom<Asked | null>(null);
forgetWithPerson(() => snoozing.set(null));

type Flags = Parameters<typeof belongsTo>[1];

/** Says whether a message can be snoozed, or be given another time. */
export function maySnooze(flags: Flags): boolean {
  return belongsTo('inbox', flags) || belongsTo('snoozed', flags);
}

/** Asks until when messages sleep. */
export function askSnooze(
  rows: readonly Pick<EmailRowDto, 'snoozed_until'>[],
  onChosen: (patch: StatusPatch) => void,
): void {
  const times = new Set(rows.map(({ snoozed_until }) => snoozed_until));
  const [until = null] = times;
  snoozing.set({ until: times.size === 1 ? until : null, onChosen });
}

/** The patch that snoozes a message until a time. */
export function snoozedUntil(at: Date): StatusPatch {
  return { snoozed_status: true, snoozed_until: at.toISOString() };
}

/** The patch that wakes a message, so that it goes back to the inbox. */
export const awake: StatusPatch = { snoozed_status: false, snoozed_until: null };
