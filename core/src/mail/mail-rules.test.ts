import { describe, expect, it } from 'vitest';
import { cpuTimeMs } from '../../../tests/support/cpu-time.ts';
import { applyRules, foldLetter, type Letter, type Rule } from './mail-rules.ts';

const letter: Letter = {
  fromName: 'Éva Loom',
  fromAddress: 'Eva@news.weavers.test',
  to: ['Ana <ana@host.test>', 'team@host.test'],
  subject: 'Your INVOICE of May',
  listId: 'bobbins.lists.weavers.test',
};
const rule = (conditions: Rule['conditions'], actions: Rule['actions'] = { star: true }, name = 'One'): Rule => ({
  name,
  conditions,
  actions,
});
const outcome = (rules: Rule[], given: Partial<Letter> = {}, addresses = ['ana@host.test']) =>
  applyRules(rules, foldLetter({ ...letter, ...given }), addresses);

describe('applyRules', () => {
  it.each<[Rule['conditions'], boolean]>([
    [{ from: 'éva' }, true],
    [{ from: 'E\u0301VA loom' }, true],
    [{ from: 'eva@news' }, true],
    [{ from: 'loom <eva' }, true],
    [{ from: 'ana' }, false],
    [{ to: 'TEAM@host' }, true],
    [{ subject: 'invoice' }, true],
    [{ subject: 'invoice', from: 'nobody' }, false],
    [{ subject: 'invoice', from: 'eva', to: 'ana', list_id: 'bobbins' }, true],
    [{ list_id: 'other' }, false],
    [{ subject: '.*' }, false],
    [{ subject: '' }, false],
    [{}, false],
  ])('says whether all of %j is in the message', (conditions, isMet) => {
    expect(outcome([rule(conditions)]) !== null).toBe(isMet);
  });

  it('looks at all addresses that the message came in by, as for a blind copy', () => {
    for (const addresses of [['Sales@host.test'], ['ana@host.test', 'Sales@host.test']]) {
      expect(outcome([rule({ to: 'sales@' })], {}, addresses)).not.toBeNull();
      expect(outcome([rule({ to: 'sales@' })], {}, addresses.toReversed())).not.toBeNull();
    }
    expect(outcome([rule({ to: 'sales@' })], {}, [])).toBeNull();
  });

  it.each<[Rule['conditions'], boolean]>([
    [{ from: 'Müller.de' }, true],
    [{ from: '@xn--mller-kva.de' }, true],
    [{ to: 'info@BÜCHER.example' }, true],
    [{ to: 'verkauf@bücher' }, true],
    [{ to: 'info@bucher' }, false],
  ])('finds a domain by its letters and by its spelling in ASCII: %j', (conditions, isMet) => {
    const given = { fromAddress: 'eva@xn--mller-kva.de', to: ['info@xn--bcher-kva.example'] };
    expect(outcome([rule(conditions)], given, ['verkauf@xn--bcher-kva.example']) !== null).toBe(isMet);
  });

  it('takes a folder of one’s own for a place', () => {
    const rules = [rule({ from: 'eva' }, { folder: '7' }, 'Mine'), rule({ from: 'eva' }, { move_to: 'trash' }, 'Away')];
    expect(outcome(rules)).toMatchObject({ moveTo: 'own', ownFolderId: '7', name: 'Mine' });
    expect(outcome(rules.toReversed())).toMatchObject({ moveTo: 'trash', ownFolderId: null, name: 'Away' });
  });

  it('takes the first place and all other actions, until a filter stops', () => {
    const rules = [
      rule({ from: 'eva' }, { star: true, label: '7' }, 'Star'),
      rule({ from: 'eva' }, { move_to: 'archive', label: '8', stop: true }, 'Keep'),
      rule({ from: 'eva' }, { move_to: 'trash', mark_read: true, label: '8' }, 'Drop'),
    ];
    const labels = new Set(['7', '8']);
    const kept = {
      moveTo: 'archive',
      ownFolderId: null,
      star: true,
      markRead: false,
      forward: false,
      labels,
      name: 'Keep',
    };
    expect(outcome(rules)).toEqual(kept);
    expect(outcome(rules.toReversed())).toEqual({
      ...kept,
      moveTo: 'trash',
      markRead: true,
      star: false,
      labels: new Set(['8']),
      name: 'Drop',
    });
  });

  it('names the sender and each domain above it', () => {
    expect(foldLetter(letter).senders).toEqual(['eva@news.weavers.test', 'news.weavers.test', 'weavers.test']);
    expect(foldLetter({ ...letter, fromAddress: '' }).senders).toEqual([]);
    const deep = `a@${'x.'.repeat(60)}test`;
    expect(foldLetter({ ...letter, fromAddress: deep }).senders.length).toBeLessThan(12);
  });

  it('is quick with the dearest message and the dearest filters', () => {
    const to = Array.from({ length: 500 }, () => 'a'.repeat(800));
    const dearest = { fromName: 'a'.repeat(1_000_000), to, subject: 'a'.repeat(1_000_000), listId: 'a'.repeat(255) };
    const rules = Array.from({ length: 100 }, () => {
      const wanted = `b${'a'.repeat(199)}`;
      return rule({ from: wanted }).conditions && rule({ subject: wanted, to: wanted });
    });
    const start = cpuTimeMs();
    expect(outcome(rules, dearest)).toBeNull();
    expect(cpuTimeMs() - start).toBeLessThan(100);
  });
});
