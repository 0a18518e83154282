import { useEffect } from 'react';
import { forgetWithPerson } from '../../lib/forget.ts';
import { furtherStorageKeys } from '../../lib/further-storage-keys.ts';

/*
 * What a person has typed into a step and not saved. It stays while they go from step to step, and
 * on the device while they reload, close the tab or look at their mail. When the session merely
 * ends, this tab keeps it in memory. It is gone when they log out.
 * Tabs share the device. A tab that saves a form takes away what is kept of it there. Each other
 * tab into which something is typed puts its own back, so that a reload of it loses nothing.
 */

/** The forms of the setup. */
export const keptForms = ['company', 'domain', 'person'] as const;
export type KeptForm = (typeof keptForms)[number];
/** What was typed, by the names of the fields. */
type Typed = Record<string, string>;

const memory = new Map<string, Typed>();
forgetWithPerson(() => memory.clear());

// Only what is missing is put back, so that two tabs never answer each other. A logout takes the
// whole key away, and nothing may come back after it
window.addEventListener('storage', ({ key, newValue }) => {
  if (key !== furtherStorageKeys.onboarding || newValue === null) return;
  const device = readDevice();
  const missing = [...memory].filter(([form]) => !(form in device));
  const put = missing.map(([form, typed]) => [form, withoutPassword(typed)] as const);
  const worth = put.filter(([, typed]) => Object.keys(typed).length > 0);
  if (worth.length > 0) writeDevice({ ...device, ...Object.fromEntries(worth) });
});

function withoutPassword({ password: _secret, ...open }: Typed): Typed {
  return open;
}

const keyOf = (owner: string, form: KeptForm): string => `${owner}/${form}`;

function readDevice(): Record<string, unknown> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(furtherStorageKeys.onboarding) ?? '{}');
    return typeof stored === 'object' && stored !== null ? { ...stored } : {};
  } catch {
    // The stored text is not valid: nothing is kept
    return {};
  }
}

function writeDevice(all: Record<string, unknown>): void {
  try {
    localStorage.setItem(furtherStorageKeys.onboarding, JSON.stringify(all));
  } catch {
    // The device is full: what was typed stays in the memory of this tab
  }
}

/** What was typed into a form, of the fields that it has. */
export function readUnsaved<V extends Typed>(owner: string, form: KeptForm, fields: V): Partial<V> {
  const key = keyOf(owner, form);
  const typed: unknown = memory.get(key) ?? readDevice()[key];
  if (typeof typed !== 'object' || typed === null) return {};
  const known = Object.entries(typed).filter(([name, text]) => name in fields && typeof text === 'string');
  return Object.fromEntries(known) as Partial<V>;
}

/** Keeps what was typed. A password stays in the memory of the tab alone. */
export function keepUnsaved(owner: string, form: KeptForm, typed: Typed | null): void {
  const key = keyOf(owner, form);
  const { [key]: _old, ...others } = readDevice();
  if (typed) memory.set(key, typed);
  else memory.delete(key);
  const open = withoutPassword(typed ?? {});
  writeDevice(Object.keys(open).length > 0 ? { ...others, [key]: open } : others);
}

/** The forms into which a person has typed what is not saved. */
export function unsavedForms(owner: string): KeptForm[] {
  const device = readDevice();
  return keptForms.filter((form) => memory.has(keyOf(owner, form)) || keyOf(owner, form) in device);
}

export function dropUnsaved(owner: string): void {
  for (const form of keptForms) keepUnsaved(owner, form, null);
}

interface FormState<V> {
  values: V;
  /** What the form began with, or saved last. */
  base: V;
  isDirty: boolean;
}

/** Keeps what is typed into a form at once, so that no way out loses it. */
export function useKeepUnsaved<V extends Typed>(
  owner: string,
  form: KeptForm,
  { values, base, isDirty }: FormState<V>,
): void {
  const changed = Object.entries(values).filter(([name, text]) => text !== base[name]);
  const typed = JSON.stringify(isDirty && changed.length > 0 ? Object.fromEntries(changed) : null);
  useEffect(() => keepUnsaved(owner, form, JSON.parse(typed) as Typed | null), [owner, form, typed]);
}
