import { describe, expect, it } from 'vitest';
import { shownTargets, targetOfEnter } from './move-targets.ts';

const folders = ['Bills 2025', 'Bills', 'Infos'].map((name) => ({ _id: name, name, total: 0, unread: 0 }));
const targets = [{ folderId: null, name: 'Inbox' }, ...folders.map(({ _id, name }) => ({ folderId: _id, name }))];
const shown = (text: string) => shownTargets({ targets, text }).map(({ name }) => name);
const entered = (text: string, of = targets) => targetOfEnter({ targets: of, folders, text })?.name ?? null;

describe('Enter in the dialog that moves messages', () => {
  it.each(['in', 'BILLS', ' bills ', 'bills 2', 'os', 'ｂｉｌｌｓ'])('takes what is drawn first for %j', (text) => {
    expect(entered(text)).toBe(shown(text)[0]);
  });

  it('takes the folder of exactly this name, whatever comes before it', () => {
    expect([entered('bills'), shown('bills')]).toEqual(['Bills', ['Bills', 'Bills 2025']]);
    expect(entered('in')).toBe('Inbox');
  });

  it('does nothing without a text, or with one that nothing fits', () => {
    expect([entered(''), entered('   '), entered('looms')]).toEqual([null, null, null]);
    expect(shown('')).toEqual(['Inbox', 'Bills 2025', 'Bills', 'Infos']);
  });

  it('does nothing for the folder in which the messages are', () => {
    const others = targets.filter(({ name }) => name !== 'Bills');
    expect(entered('bills', others)).toBeNull();
    expect(entered('bill', others)).toBe('Bills 2025');
  });
});
