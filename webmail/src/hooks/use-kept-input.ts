import { useEffect, useRef } from 'react';
import { forgetWithPerson } from '../lib/forget.ts';
import { currentSubject } from '../lib/session.ts';
import { addUnsavedWork } from '../lib/unsaved-work.ts';

/*
 * What was typed into a form when the session ended elsewhere. The form leaves the screen then, so
 * this tab keeps it in memory until the same person opens the form again. Nothing of one person is
 * left for the next.
 */

/** How a form is known among those whose input is kept. */
export interface KeepAs {
  /** One key for each form, and for each record that it changes. */
  key: string;
  /** What it is about, in the middle of a sentence. */
  name: string;
  /** Fields that are not kept, such as a password. */
  except?: readonly string[];
}

const nothing: readonly string[] = [];

type Input = Record<string, unknown>;

/** What was typed, and the version of the record that it changes. */
interface Typed {
  input: Input;
  version: number | undefined;
}

const kept = new Map<string, Typed & { owner: string; endUnsaved: () => void }>();
let timesForgotten = 0;
forgetWithPerson(() => {
  timesForgotten += 1;
  for (const key of kept.keys()) drop(key);
});

function drop(key: string): void {
  kept.get(key)?.endUnsaved();
  kept.delete(key);
}

/**
 * What the person has typed into a form before, of the fields that it has. `version` is that of the
 * record then: a save with it tells the person what others have changed since.
 */
export function readKept<V extends Input>(
  keepAs: KeepAs | undefined,
  fields: V,
): { input: Partial<V>; version?: number | undefined } {
  const known = keepAs && kept.get(keepAs.key);
  if (!known || known.owner !== currentSubject()) return { input: {} };
  const input = Object.entries(known.input).filter(([name]) => name in fields);
  return { input: Object.fromEntries(input) as Partial<V>, version: known.version };
}

/** Keeps what was typed when the session ends. `input` has the changed fields alone. */
export function useKeptInput(keepAs: KeepAs | undefined, { input, version }: Typed): void {
  const { key, name = '', except = nothing } = keepAs ?? {};
  const latest = useRef({ name, input, version });
  useEffect(() => {
    const open = Object.entries(input).filter(([field]) => !except.includes(field));
    latest.current = { name, input: Object.fromEntries(open), version };
  });
  useEffect(() => {
    if (key === undefined) return;
    const [owner, before] = [currentSubject(), timesForgotten];
    // The form has it from now on
    drop(key);
    return () => {
      const last = latest.current;
      // A person who logs out themselves has left it behind
      const isEnded = currentSubject() === null && timesForgotten === before;
      if (owner === null || !isEnded || Object.keys(last.input).length === 0) return;
      const endUnsaved = addUnsavedWork({ name: last.name, survivesNavigation: true });
      kept.set(key, { owner, input: last.input, version: last.version, endUnsaved });
    };
  }, [key]);
}
