import type { Resolution } from '@selvage/core/directory/resolve-recipient';
import { describe, expect, it } from 'vitest';
import { mostPeople, takeRecipient } from './take-recipient.ts';

const input = { address: 'ana@here.test', taken: 0, people: 0, limit: 2, hostname: 'mx.here.test' };
const mailbox = { userId: '1', companyId: '2', address: 'ana@here.test' };

describe('takeRecipient', () => {
  it('takes a mailbox of this host', async () => {
    expect(await takeRecipient(input, async () => ({ kind: 'deliver', ...mailbox }))).toEqual({ accept: [mailbox] });
  });

  it('takes a group as its people, whatever the limit of the envelope', async () => {
    const members = ['3', '4', '5'].map((userId) => ({ ...mailbox, userId }));
    expect(await takeRecipient(input, async () => ({ kind: 'group', members }))).toEqual({ accept: members });
  });

  it('asks to send to a further group in another transaction when the groups before it have many people', async () => {
    const members = Array.from({ length: 500 }, (_, n) => ({ ...mailbox, userId: String(n) }));
    const take = (people: number) => takeRecipient({ ...input, people }, async () => ({ kind: 'group', members }));
    expect(await take(mostPeople - members.length)).toEqual({ accept: members });
    expect(await take(mostPeople - members.length + 1)).toMatchObject({ refuse: { code: 452, enhancedCode: '4.5.3' } });
  });

  it('does not relay', async () => {
    const answer = await takeRecipient(input, async () => ({ kind: 'relay' }));
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
    expect(await takeRecipient(input, async () => inactive)).toMatchObject({
      refuse: { code: 450, enhancedCode: '4.2.1' },
      companyId: '2',
    });
  });

  it('asks to send the rest later when there are too many recipients, without a look-up', async () => {
    const answer = await takeRecipient({ ...input, taken: 2 }, async () => {
      throw new Error('must not be asked');
    });
    expect(answer).toMatchObject({ refuse: { code: 452, enhancedCode: '4.5.3' } });
  });

  it('reads postmaster without a domain as the one of this host', async () => {
    const asked: string[] = [];
    await takeRecipient({ ...input, address: 'Postmaster' }, async (address) => {
      asked.push(address);
      return { kind: 'relay' };
    });
    expect(asked).toEqual(['postmaster@mx.here.test']);
  });

  it('passes the error of a failing look-up on to its caller', async () => {
    await expect(takeRecipient(input, () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  });
});
