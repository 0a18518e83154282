import { describe, expect, it } from 'vitest';
import { cpuTimeMs } from '../../../tests/support/cpu-time.ts';
import { judgeSender, type SenderFacts } from './judge-sender.ts';

const plain: SenderFacts = {
  fromName: 'Bo Berg',
  fromAddress: 'bo@remote.example',
  replyTo: [],
  dmarc: 'pass',
  isFromList: false,
  isBulk: false,
  isFirst: true,
  isAnswer: false,
  ownDomains: ['weavers.example'],
  similarOwn: null,
  similarKnown: null,
  isNameOfColleague: false,
  namesake: null,
  links: [],
};
const codes = (changes: Partial<SenderFacts>) => judgeSender({ ...plain, ...changes }).map(({ code }) => code);
const lie = [{ named: 'bank.example', actual: 'evil.example' }];

describe('judgeSender', () => {
  it('says only that a sender is new, and nothing of a known one', () => {
    expect(codes({})).toEqual(['first_message']);
    expect(codes({ isFirst: false })).toEqual([]);
    for (const dmarc of ['none', 'temperror', 'permerror']) {
      expect(codes({ dmarc })).toEqual(['first_message']);
      expect(codes({ dmarc, isFirst: false })).toEqual([]);
    }
  });

  it('says of an answer to the reader what it claims, but not that its sender is new', () => {
    expect(codes({ isAnswer: true })).toEqual([]);
    expect(codes({ isAnswer: true, dmarc: 'none', replyTo: ['x@gmail.com'] })).toEqual([]);
    expect(codes({ isAnswer: true, isNameOfColleague: true })).toEqual(['name_of_colleague']);
    expect(codes({ isAnswer: true, similarOwn: 'weavers.example' })).toEqual(['similar_domain']);
  });

  it.each<[string, Partial<SenderFacts>, string[]]>([
    ['DMARC failed', { dmarc: 'fail', isFirst: false }, ['not_from_sender']],
    ['the name is another address', { fromName: 'Bank <info@bank.example>' }, ['name_of_address']],
    ['the name is that of a colleague', { isNameOfColleague: true }, ['name_of_colleague']],
    ['the domain looks like the company’s', { similarOwn: 'weavers.example' }, ['similar_domain']],
    ['it looks like a known one', { similarKnown: 'wool.example' }, ['similar_correspondent']],
    ['the name is that of a known person', { namesake: 'bo@wool.example' }, ['name_of_correspondent']],
    ['it looks like both', { similarOwn: 'weavers.example', similarKnown: 'wool.example' }, ['similar_domain']],
    ['an unproved answer goes astray', { dmarc: 'none', replyTo: ['x@gmail.com'] }, ['reply_elsewhere']],
    ['a link lies', { links: lie }, ['link_elsewhere']],
  ])('warns where %s', (_why, changes, expected) => {
    expect(codes(changes)).toEqual(expected);
  });

  it.each<[string, Partial<SenderFacts>]>([
    ['a mailing list changes it', { isFromList: true, dmarc: 'fail', fromName: 'bo@remote.example via List' }],
    ['a known sender is proved', { isFirst: false, links: lie, fromName: 'other@a.example', replyTo: ['x@gmail.com'] }],
  ])('says nothing where %s', (_why, changes) => {
    expect(codes({ ...changes })).toEqual([]);
  });

  it.each<[string, Partial<SenderFacts>]>([
    ['the name is the address', { fromName: 'bo@remote.example' }],
    ['the name is an address of the same site', { fromName: 'info@mail.remote.example' }],
    ['a newsletter counts clicks', { isBulk: true, links: lie }],
    ['a link is written as the sender’s own site', { links: [{ named: 'remote.example', actual: 'clicks.example' }] }],
    ['a proved newsletter is answered elsewhere', { replyTo: ['x@gmail.com'] }],
    ['a ticket is answered at another company', { dmarc: 'none', replyTo: ['x@desk.example'] }],
    ['a person with two free addresses', { dmarc: 'none', fromAddress: 'a@gmx.de', replyTo: ['x@gmail.com'] }],
    ['a colleague writes from the company', { isNameOfColleague: true, fromAddress: 'a@weavers.example' }],
  ])('does not warn where %s', (_why, changes) => {
    expect(codes(changes)).toEqual(['first_message']);
  });

  it('doubts a look-alike as long as its reader does, and not the name of one who has written before', () => {
    const facts = { isFirst: false, similarKnown: 'wool.example', namesake: 'bo@wool.example' };
    expect(codes(facts)).toEqual(['similar_correspondent']);
    expect(codes({ ...facts, dmarc: 'none' })).toEqual(['similar_correspondent']);
    expect(codes({ ...facts, isFromList: true })).toEqual([]);
    expect(judgeSender({ ...plain, ...facts })[0]).toMatchObject({ claimed: 'wool.example', actual: 'remote.example' });
  });

  it('puts the gravest first', () => {
    expect(codes({ dmarc: 'fail', isNameOfColleague: true, links: lie })).toEqual([
      'not_from_sender',
      'name_of_colleague',
      'link_elsewhere',
    ]);
  });

  it('stays fast on a name made to be searched', () => {
    const started = cpuTimeMs();
    codes({ fromName: `${'a.'.repeat(500)}@${'b.'.repeat(500)}`.slice(0, 255) });
    expect(cpuTimeMs() - started).toBeLessThan(50);
  });
});
