import { atom } from 'nanostores';
import { repeatWith } from './api.ts';
import { currentSubject, subscribeToSession } from './session.ts';

/** A call that waits until the person has confirmed that it is them. */
export interface WaitingCall {
  /** True when they did, and false when they would rather not. */
  end: (isConfirmed: boolean) => void;
}

/** The call for which the dialog is open. */
export const waitingCall = atom<WaitingCall | null>(null);

let asked: Promise<boolean> | null = null;

/**
 * Makes a call again once the person has confirmed that it is them. Several calls that need it at
 * the same time share one dialog. The end of the session answers no.
 * @throws the refusal of the first call when they do not confirm it
 */
async function onceConfirmed<T>(refusal: Error, callAgain: () => Promise<T>): Promise<T> {
  asked ??= ask();
  if (!(await asked)) throw refusal;
  return await callAgain();
}

async function ask(): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const person = currentSubject();
  const unsubscribe = subscribeToSession(() => {
    if (currentSubject() !== person) resolve(false);
  });
  waitingCall.set({ end: resolve });
  const isConfirmed = await promise;
  unsubscribe();
  asked = null;
  waitingCall.set(null);
  return isConfirmed;
}

repeatWith(onceConfirmed);
