import type { SignatureDto } from '@selvage/core/contracts/signatures';
import { useSyncExternalStore } from 'react';
import { forgetWithPerson } from '../../../lib/forget.ts';
import { wordsOf } from '../../../lib/i18n.ts';
import { currentSubject, subscribeToSession } from '../../../lib/session.ts';
import { addUnsavedWork } from '../../../lib/unsaved-work.ts';
import { signatureWords } from '../../../words/signatures.ts';

/*
 * Changes of signatures that are not saved yet. They outlive the screen, so that looking at a mail
 * in between loses nothing; each is registered as unsaved work. When the session ends they wait for
 * the person who wrote them, unseen; nothing of one person is left for the next.
 */

/** One signature as it is being written. */
export interface UnsavedSignature {
  name: string;
  /** Null when the text is as it was saved. */
  body: string | null;
}

type Unsaved = ReadonlyMap<string, UnsavedSignature>;

const none: Unsaved = new Map();

let unsaved: Unsaved = none;
/** The person who wrote them. */
let owner: string | null = null;
let drafts = 0;
const listeners = new Set<() => void>();
/** Functions that take each of them off the list of unsaved work. */
const registered = new Map<string, () => void>();

function put(next: Unsaved): void {
  unsaved = next;
  for (const [key, end] of registered) {
    if (next.has(key)) continue;
    registered.delete(key);
    end();
  }
  for (const [key, { name }] of next) {
    if (registered.has(key)) continue;
    registered.set(key, addUnsavedWork({ name: wordsOf(signatureWords).unsaved({ name }), survivesNavigation: true }));
  }
  for (const listener of listeners) listener();
}

forgetWithPerson(() => {
  put(none);
  saves.clear();
});

/** The unsaved signatures of the logged-in person. */
function ownUnsaved(): Unsaved {
  return currentSubject() === owner ? unsaved : none;
}

export function keepUnsaved(key: string, signature: UnsavedSignature): void {
  owner = currentSubject() ?? owner;
  put(new Map(unsaved).set(key, signature));
}

/** The keys of signatures that this tab began, by the id that each got when it was saved. */
const begun = new Map<string, string>();

/**
 * The key of a saved signature. A signature that this tab began keeps the key of its draft, so that
 * the form in which the person types stays open.
 */
export function keyOfSaved(id: string): string {
  return begun.get(id) ?? id;
}

/** What was saved last of each signature, by its key, and the version that it has become. */
const saves = new Map<string, { sent: UnsavedSignature; version: number }>();

export function noteSaved(key: string, { _id: id, version }: SignatureDto, sent: UnsavedSignature | null): void {
  if (key !== id) begun.set(id, key);
  if (sent) saves.set(key, { sent, version });
}

/** What this tab has saved as a version; null when that was saved elsewhere. */
export function readSaved(key: string, version: number): UnsavedSignature | null {
  const last = saves.get(key);
  return last?.version === version ? last.sent : null;
}

export function readUnsaved(key: string): UnsavedSignature | undefined {
  return unsaved.get(key);
}

export function dropUnsaved(key: string): void {
  if (!unsaved.has(key)) return;
  put(new Map([...unsaved].filter(([other]) => other !== key)));
}

/** Begins a new signature; gives the key it is known by. */
export function beginSignature(name: string): string {
  drafts += 1;
  const key = `new-${drafts}`;
  keepUnsaved(key, { name, body: null });
  return key;
}

export function unsavedNames(): string[] {
  return [...ownUnsaved().values()].map(({ name }) => name);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  const unsubscribe = subscribeToSession(listener);
  return () => {
    listeners.delete(listener);
    unsubscribe();
  };
}

export function useUnsaved(): Unsaved {
  return useSyncExternalStore(subscribe, ownUnsaved);
}

export function useUnsavedNames(): string[] {
  return [...useUnsaved().values()].map(({ name }) => name);
}
