import { describe, expect, it } from 'vitest';
import { countedIn, folderOf, folderChanges } from './folders.ts';

const plain = {
  readStatus: false,
  starStatus: false,
  archiveStatus: false,
  trashStatus: false,
  deleteStatus: false,
  junkStatus: false,
  sendStatus: false,
  draftStatus: false,
  scheduledStatus: false,
  snoozedStatus: false,
  ownFolderId: null,
};
const owner = { companyId: '1', userId: '2' };

describe('folderOf', () => {
  it('shows what was received in the inbox and what was sent in Sent', () => {
    expect(folderOf(plain)).toBe('inbox');
    expect(folderOf({ ...plain, sendStatus: true })).toBe('sent');
  });

  it('lets deletion win over trash and trash over archive', () => {
    expect(folderOf({ ...plain, archiveStatus: true, sendStatus: true })).toBe('archive');
    expect(folderOf({ ...plain, archiveStatus: true, trashStatus: true })).toBe('trash');
    expect(folderOf({ ...plain, archiveStatus: true, trashStatus: true, deleteStatus: true })).toBe('gone');
  });
});

describe('a scheduled entry', () => {
  it('is in no other folder, whatever its other flags are', () => {
    const flags = { ...plain, scheduledStatus: true, starStatus: true, trashStatus: true, archiveStatus: true };
    expect(folderOf(flags)).toBe('scheduled');
    expect(countedIn(flags)).toEqual(['scheduled']);
    expect(folderOf({ ...flags, deleteStatus: true })).toBe('gone');
  });
});

describe('a snoozed entry', () => {
  it('keeps its star, and is elsewhere once it is archived or trashed', () => {
    const flags = { ...plain, snoozedStatus: true, starStatus: true };
    expect(folderOf(flags)).toBe('snoozed');
    expect(countedIn(flags)).toEqual(['snoozed', 'starred']);
    expect(folderOf({ ...flags, archiveStatus: true })).toBe('archive');
    expect(folderOf({ ...flags, trashStatus: true })).toBe('trash');
  });
});

describe('an entry in a folder of its own', () => {
  it('is there unless it is archived, junk or in the trash, also while it is snoozed', () => {
    const flags = { ...plain, ownFolderId: '7', snoozedStatus: true, sendStatus: true, starStatus: true };
    expect(folderOf(flags)).toBe('own');
    expect(countedIn(flags)).toEqual(['own:7', 'starred']);
    expect(folderOf({ ...flags, archiveStatus: true })).toBe('archive');
    expect(folderOf({ ...flags, junkStatus: true })).toBe('junk');
    expect(folderOf({ ...flags, trashStatus: true })).toBe('trash');
  });

  it('names both folders when it goes from one to another', () => {
    const [before, after] = [
      { ...plain, ownFolderId: '7' },
      { ...plain, ownFolderId: '8' },
    ];
    expect(folderChanges(owner, before, { after, size: 70 })).toEqual([
      { ...owner, folder: 'own:7', total: -1, unread: -1, bytes: -70 },
      { ...owner, folder: 'own:8', total: 1, unread: 1, bytes: 70 },
      { ...owner, folder: 'own:8', total: 0, unread: 0, arrivals: 1 },
    ]);
  });
});

describe('folderOf with junk', () => {
  it('lets junk win over archive and Sent, and trash over junk', () => {
    expect(folderOf({ ...plain, junkStatus: true })).toBe('junk');
    expect(folderOf({ ...plain, junkStatus: true, archiveStatus: true })).toBe('junk');
    expect(folderOf({ ...plain, junkStatus: true, trashStatus: true })).toBe('trash');
    expect(countedIn({ ...plain, junkStatus: true, starStatus: true })).toEqual(['junk']);
  });
});

describe('countedIn', () => {
  it('counts a starred entry in its folder and in Starred, but not once it is in the trash', () => {
    expect(countedIn({ ...plain, starStatus: true, archiveStatus: true })).toEqual(['archive', 'starred']);
    expect(countedIn({ ...plain, starStatus: true, trashStatus: true })).toEqual(['trash']);
    expect(countedIn({ ...plain, starStatus: true, deleteStatus: true })).toEqual([]);
  });
});

describe('folderChanges', () => {
  it('takes an unread entry out of one folder and puts it read into another', () => {
    const after = { ...plain, readStatus: true, archiveStatus: true };
    expect(folderChanges(owner, plain, { after, size: 70 })).toEqual([
      { ...owner, folder: 'inbox', total: -1, unread: -1, bytes: -70 },
      { ...owner, folder: 'archive', total: 1, unread: 0, bytes: 70 },
      { ...owner, folder: 'archive', total: 0, unread: 0, arrivals: 1 },
    ]);
  });
});
