import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { watchPerson } from '../../../lib/forget.ts';
import { endSession, storeTokens } from '../../../lib/session.ts';
import { unsavedWork, workLostByLeaving } from '../../../lib/unsaved-work.ts';
import { beginSignature, dropUnsaved, keepUnsaved, readUnsaved, unsavedNames } from './unsaved.ts';

/** Tokens of a person, as far as this tab looks into them. */
function signIn(subject: string): void {
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: subject }))}.x`, refreshToken: 'x' });
}

beforeAll(watchPerson);
afterEach(() => endSession());

describe('signatures that are not saved', () => {
  it('are unsaved work that another page does not lose, each once however often it is changed', () => {
    signIn('1');
    keepUnsaved('7', { name: 'Office', body: null });
    keepUnsaved('7', { name: 'Office', body: '<p>a</p>' });
    expect(unsavedWork()).toEqual([{ name: 'the signature “Office”', survivesNavigation: true }]);
    expect(workLostByLeaving()).toEqual([]);
    expect(readUnsaved('7')?.body).toBe('<p>a</p>');
    dropUnsaved('7');
    expect(unsavedWork()).toEqual([]);
  });

  it('are gone with the session of the person who wrote them', () => {
    signIn('1');
    beginSignature('Office');
    signIn('1');
    expect(unsavedNames()).toEqual(['Office']);
    signIn('2');
    expect(unsavedNames()).toEqual([]);
    expect(unsavedWork()).toEqual([]);
    signIn('1');
    beginSignature('Office');
    endSession();
    signIn('1');
    expect(unsavedNames()).toEqual([]);
  });

  it('wait unseen where the session merely ended, and are there again for the same person', () => {
    signIn('1');
    keepUnsaved('7', { name: 'Office', body: '<p>a</p>' });
    endSession('Your session has ended.');
    expect(unsavedNames()).toEqual([]);
    expect(unsavedWork()).toHaveLength(1);
    signIn('1');
    expect(unsavedNames()).toEqual(['Office']);
    endSession('Your session has ended.');
    signIn('2');
    expect(unsavedNames()).toEqual([]);
    expect(unsavedWork()).toEqual([]);
  });
});
