import { mostPeople } from '@selvage/core/directory/count-group-people';
import type { Located, Resolution } from '@selvage/core/directory/resolve-recipient';
import { describe, expect, it } from 'vitest';
import { type RecipientAnswer, takeRecipient } from './take-recipient.ts';

const input = {
  address: 'ana@here.test',
  taken: new Set<string>(),
  people: 0,
  groups: new Map<string, RecipientAnswer>(),
  limit: 2,
  hostname: 'mx.here.test',
};
const mailbox = { userId: '1', companyId: '2', address: 'ana@here.test' };

/** A directory in which every address leads to this, and a group to these people. */
const leadingTo = (located: Located, group?: Resolution) => ({
  locate: () => Promise.resolve(located),
  readGroup: () => (group ? Promise.resolve(group) : Promise.reject(new Error('must not be asked'))),
});
const unreadable = {
  locate: () => Promise.reject(new Error('away')),
  readGroup: () => Promise.reject(new Error('away')),
};
const unread = (address: string, expandedBy: 'group' | 'catch_all' = 'group'): Located => ({
  kind: 'unread_group',
  groupId: '9',
  companyId: '2',
  address,
  expandedBy,
});

describe('takeRecipient', () => {
  it('takes a mailbox of this host', async () => {
    expect(await takeRecipient(input, leadingTo({ kind: 'deliver', ...mailbox }))).toEqual({ accept: [mailbox] });
  });

  it('takes a group as its people, whatever the limit of the envelope', async () => {
    const members = ['3', '4', '5'].map((userId) => ({ ...mailbox, userId }));
    expect(await takeRecipient(input, leadingTo({ kind: 'group', members }))).toEqual({ accept: members });
    const directory = leadingTo(unread('ana@here.test'), { kind: 'group', members });
    expect(await takeRecipient(input, directory)).toEqual({ accept: members, groupId: '9' });
  });

  it('reads the people of a group once, however many of its addresses are named', async () => {
    const people = ['3', '4'].map((userId) => ({
      ...mailbox,
      userId,
      expansion: { by: 'group' as const, to: `${userId}@here.test` },
      isUnlimited: true,
    }));
    const taken = new Set(people.map(({ address }) => address));
    const take = (answer: RecipientAnswer, sofar: number) =>
      takeRecipient(
        { ...input, address: 'any@here.test', taken, people: sofar, groups: new Map([['9', answer]]) },
        leadingTo(unread('any@here.test', 'catch_all')),
      );
    const others = people.map((one) => ({
      ...one,
      address: 'any@here.test',
      expansion: { ...one.expansion, by: 'catch_all' },
    }));
    expect(await take({ accept: people }, 2)).toEqual({ accept: others, groupId: '9' });
    expect(await take({ accept: people }, mostPeople - 1)).toMatchObject({ refuse: { code: 452 }, groupId: '9' });
    const full = { code: 452, enhancedCode: '4.2.2', text: 'full', reason: 'mailbox_full' as const };
    expect(await take({ refuse: full, companyId: '2' }, 2)).toEqual({ refuse: full, companyId: '2', groupId: '9' });
  });

  it('takes an address that the envelope has already, in any form of it, without a look-up', async () => {
    const taken = new Set(['ana@here.test', 'postmaster@mx.here.test']);
    for (const address of ['ana@here.test', 'ANA@Here.test', '"ana"@here.test', 'Postmaster']) {
      expect([address, await takeRecipient({ ...input, address, taken }, unreadable)]).toEqual([
        address,
        { accept: [] },
      ]);
    }
    await expect(takeRecipient({ ...input, address: 'ana+x@here.test' }, unreadable)).rejects.toThrow('away');
  });

  it('asks to send to a further group in another transaction when the groups before it have many people', async () => {
    const members = Array.from({ length: 500 }, (_, n) => ({ ...mailbox, userId: String(n) }));
    const take = (people: number) => takeRecipient({ ...input, people }, leadingTo({ kind: 'group', members }));
    expect(await take(mostPeople - members.length)).toEqual({ accept: members });
    expect(await take(mostPeople - members.length + 1)).toMatchObject({ refuse: { code: 452, enhancedCode: '4.5.3' } });
  });

  it('does not relay', async () => {
    const answer = await takeRecipient(input, leadingTo({ kind: 'relay' }));
    expect(answer).toMatchObject({ refuse: { code: 550, enhancedCode: '5.7.1', reason: 'relay_denied' } });
  });

  it('passes on why a mailbox gets no mail, and whose it is', async () => {
    const inactive: Resolution = {
      kind: 'defer',
      code: 450,
      enhancedCode: '4.2.1',
      reason: 'inactive_mailbox',
      text: 'x',
      companyId: '2',
    };
    expect(await takeRecipient(input, leadingTo(inactive))).toMatchObject({
      refuse: { code: 450, enhancedCode: '4.2.1' },
      companyId: '2',
    });
  });

  it('asks to send the rest later when there are too many recipients, without a look-up', async () => {
    const taken = new Set(['ben@here.test', 'cai@here.test']);
    const answer = await takeRecipient({ ...input, taken }, unreadable);
    expect(answer).toMatchObject({ refuse: { code: 452, enhancedCode: '4.5.3' } });
  });

  it('reads postmaster without a domain as the one of this host', async () => {
    const asked: string[] = [];
    const locate = (address: string): Promise<Located> => {
      asked.push(address);
      return Promise.resolve({ kind: 'relay' });
    };
    await takeRecipient({ ...input, address: 'Postmaster' }, { ...unreadable, locate });
    expect(asked).toEqual(['postmaster@mx.here.test']);
  });

  it('passes the error of a failing look-up on to its caller', async () => {
    await expect(takeRecipient(input, unreadable)).rejects.toThrow('away');
  });
});
