import { expect, it } from 'vitest';
import { TimeZone } from '../time-zone.ts';
import { parseSearch, type SearchTerm } from './search-query.ts';

const term = (words: string[], parts: Partial<SearchTerm> = {}): SearchTerm => ({
  words,
  column: null,
  isPrefix: true,
  isExcluded: false,
  isAlternative: false,
  ...parts,
});

it.each([
  ['invoice', [term(['invoice'])]],
  ['in', [term(['in'], { isPrefix: false })]],
  ['two words', [term(['two'], { isPrefix: false }), term(['words'])]],
  ['inv*', [term(['inv'])]],
  ['i*', [term(['i'], { isPrefix: false })]],
  ['"two words"', [term(['two', 'words'], { isPrefix: false })]],
  ['"never closed', [term(['never', 'closed'], { isPrefix: false })]],
  ['-spam', [term(['spam'], { isExcluded: true })]],
  ['from:Ana', [term(['ana'], { column: 'sender', isPrefix: false })]],
  ['FROM:"Ana Test"', [term(['ana', 'test'], { column: 'sender', isPrefix: false })]],
  ['cc:ben@x.test', [term(['ben', 'x', 'test'], { column: 'recipients' })]],
  ['-subject:draft', [term(['draft'], { column: 'subject', isExcluded: true })]],
  ['constructor:mill', [term(['constructor', 'mill'])]],
  ['filename:report.pdf', [term(['report', 'pdf'], { column: 'files', isPrefix: false })]],
  ['GRÜSSE Straße', [term(['grusse']), term(['strasse'])]],
  ['https://x.test/a-b', [term(['https', 'x', 'test', 'a', 'b'], { isPrefix: false })]],
  ['mill OR loom yarn', [term(['mill']), term(['loom'], { isAlternative: true }), term(['yarn'])]],
  [
    'from:"Ana" OR to:Ana',
    [
      term(['ana'], { column: 'sender', isPrefix: false }),
      term(['ana'], { column: 'recipients', isPrefix: false, isAlternative: true }),
    ],
  ],
  ['mill or loom', [term(['mill']), term(['or'], { isPrefix: false }), term(['loom'])]],
  ['mill OR -loom', [term(['mill']), term(['loom'], { isExcluded: true })]],
  ['mill has:file OR loom', [term(['mill']), term(['loom'])]],
  ['mill AND loom', [term(['mill']), term(['loom'])]],
  ['mill OR loom AND yarn', [term(['mill']), term(['loom'], { isAlternative: true }), term(['yarn'])]],
  ['mill and loom', [term(['mill']), term(['and'], { isPrefix: false }), term(['loom'])]],
  ['mill NOT loom', [term(['mill']), term(['loom'], { isExcluded: true })]],
  ['mill AND NOT from:"Ana"', [term(['mill']), term(['ana'], { column: 'sender', isPrefix: false, isExcluded: true })]],
  ['NOT loom', [term(['loom'], { isExcluded: true })]],
  ['mill NOT', [term(['mill']), term(['not'], { isPrefix: false })]],
  ['mill not loom', [term(['mill']), term(['not'], { isPrefix: false }), term(['loom'])]],
  ['“two words”', [term(['two', 'words'], { isPrefix: false })]],
  ['from:„Ana Test“', [term(['ana', 'test'], { column: 'sender', isPrefix: false })]],
  ['19” monitor', [term(['19'], { isPrefix: false }), term(['monitor'])]],
  ['subject:(mill loom)', [term(['mill'], { column: 'subject' }), term(['loom'], { column: 'subject' })]],
  [
    'to:(mill OR loom)',
    [term(['mill'], { column: 'recipients' }), term(['loom'], { column: 'recipients', isAlternative: true })],
  ],
  ['-subject:(mill)', [term(['mill'], { column: 'subject', isExcluded: true })]],
  ['(mill) :(loom) from:()', [term(['mill']), term(['loom'])]],
  [
    '-subject:(mill OR loom)',
    [term(['mill'], { column: 'subject', isExcluded: true }), term(['loom'], { column: 'subject', isExcluded: true })],
  ],
  [
    '-subject:(mill loom) yarn',
    [
      term(['mill'], { column: 'subject', isExcluded: true }),
      term(['loom'], { column: 'subject', isExcluded: true, isJoined: true }),
      term(['yarn']),
    ],
  ],
  ['-(mill loom)', [term(['mill'], { isExcluded: true }), term(['loom'], { isExcluded: true, isJoined: true })]],
  ['-mill -(loom)', [term(['mill'], { isExcluded: true }), term(['loom'], { isExcluded: true })]],
  ['{mill loom} yarn', [term(['mill']), term(['loom'], { isAlternative: true }), term(['yarn'])]],
  [
    'from:{"ana" "ben"}',
    [
      term(['ana'], { column: 'sender', isPrefix: false }),
      term(['ben'], { column: 'sender', isPrefix: false, isAlternative: true }),
    ],
  ],
  ['-{mill loom}', [term(['mill'], { isExcluded: true }), term(['loom'], { isExcluded: true })]],
  ['{mill', [term(['mill'])]],
  ['{}', []],
  ['has:pdf', [term(['pdf'], { column: 'files', isPrefix: false })]],
  ['-has:zip', [term(['zip'], { column: 'files', isPrefix: false, isExcluded: true })]],
  [
    'has:presentation mill',
    [
      ...['ppt', 'pptx', 'odp'].map((ending, at) =>
        term([ending], { column: 'files', isPrefix: false, isAlternative: at > 0 }),
      ),
      term(['mill']),
    ],
  ],
  ['from:me', [term(['me'], { column: 'sender', isPrefix: false })]],
  ['attachment:mill.pdf', [term(['mill', 'pdf'], { column: 'files', isPrefix: false })]],
  ['bcc:ana@x.test', [term(['ana', 'x', 'test'], { column: 'recipients' })]],
  ['AND mill AND', [term(['and'], { isPrefix: false }), term(['mill']), term(['and'], { isPrefix: false })]],
  ['from: Ana', [term(['ana'], { column: 'sender', isPrefix: false })]],
  [
    '-Subject:  "Two Words" mill',
    [term(['two', 'words'], { column: 'subject', isPrefix: false, isExcluded: true }), term(['mill'])],
  ],
  ['Re: mill', [term(['re'], { isPrefix: false }), term(['mill'])]],
  ['from: subject:mill', [term(['from']), term(['mill'], { column: 'subject' })]],
  ['mill from: ', [term(['mill']), term(['from'])]],
  ['OR mill OR', [term(['or'], { isPrefix: false }), term(['mill']), term(['or'], { isPrefix: false })]],
  ['note:this', [term(['note', 'this'])]],
  ['has:wings', [term(['has', 'wings'])]],
  ['東京都', [term(['東京', '京都'], { isPrefix: false })]],
  ['都', [term(['都'], { isPrefix: true })]],
  ['会議室A', [term(['会議', '議室', '室', 'a'], { isPrefix: false })]],
  ['filename:請求書_2024', [term(['請求', '求書', '書', '2024'], { column: 'files' })]],
  ['第3回', [term(['第', '3', '回'])]],
  ['"회의 자료"', [term(['회의', '의', '자료'], { isPrefix: false })]],
  ['"" -- :) *', []],
  ['" OR words MATCH (', [term(['or', 'words', 'match'], { isPrefix: false })]],
])('reads %s', (text, terms) => {
  expect(parseSearch(text).terms).toEqual(terms);
});

it.each([
  ['in:sent', { folder: 'sent' }],
  ['IN:Trash', { folder: 'trash' }],
  ['in:trash in:all', { isAnywhere: true }],
  ['in:junk', { folder: 'junk' }],
  ['in:spam', { folder: 'junk' }],
  ['is:unread', { isUnread: true }],
  ['is:read', { isUnread: false }],
  ['is:starred', { isStarred: true }],
  ['in:starred', { isStarred: true }],
  ['has:attachment', { hasFiles: true }],
  ['after:2026-11-23', { from: Date.UTC(2026, 10, 23) }],
  ['before:2026/3', { until: Date.UTC(2026, 2, 1) }],
  ['before:2026', { until: Date.UTC(2026, 0, 1) }],
  ['before:23.11.2026', { until: Date.UTC(2026, 10, 23) }],
  ['older:2026/11/23', { until: Date.UTC(2026, 10, 23) }],
  ['newer:2026/11/23', { from: Date.UTC(2026, 10, 23) }],
  ['NOT is:unread NOT in:trash', { isUnread: false, notInFolders: ['trash'] }],
  ['hasattachment:yes', { hasFiles: true }],
  ['hasattachments:no', { hasFiles: false }],
  ['is:flagged', { isStarred: true }],
  ['larger:5M', { larger: 5 * 1_048_576 }],
  ['smaller:1.5kb', { smaller: 1536 }],
  ['larger:200', { larger: 200 }],
  ['is: unread', { isUnread: true }],
  ['in: "trash"', { folder: 'trash' }],
  ['-in:trash -in:sent', { notInFolders: ['trash', 'sent'] }],
  ['-is:unread', { isUnread: false }],
  ['-is:read', { isUnread: true }],
  ['-is:starred', { isStarred: false }],
  ['-has: attachment', { hasFiles: false }],
  ['-after:2026-11-23', { until: Date.UTC(2026, 10, 23) }],
  ['-before:2026', { from: Date.UTC(2026, 0, 1) }],
  ['-larger:200', { smaller: 201 }],
  ['-smaller:200', { larger: 199 }],
])('reads %s as a condition', (text, conditions) => {
  expect(parseSearch(text)).toEqual({ terms: [], ...conditions });
});

const own = {
  folders: new Map([['yarn / garn', '7']]),
  labels: new Map([
    ['mill', '8'],
    ['two words', '9'],
  ]),
};

it.each([
  ['in:"Yarn / GARN"', { folder: 'own:7' }],
  ['label:MILL', { labelIds: ['8'] }],
  ['label:"Two Words" label:mill label:mill', { labelIds: ['9', '8'] }],
  ['-in:"yarn / garn" -label:mill', { notInFolders: ['own:7'], withoutLabelIds: ['8'] }],
])('reads %s as what the person made', (text, conditions) => {
  expect(parseSearch(text, undefined, own)).toEqual({ terms: [], ...conditions });
});

const addresses = ['ana@x.test', 'office@x.test'];
const mine = (local: string, parts: Partial<SearchTerm> = {}) =>
  term([local, 'x', 'test'], { column: 'sender', isPrefix: false, ...parts });

it.each([
  ['from:me mill', [mine('ana'), mine('office', { isAlternative: true }), term(['mill'])]],
  ['-from:Me', [mine('ana', { isExcluded: true }), mine('office', { isExcluded: true })]],
  [
    'from:ben OR from:me',
    [
      term(['ben'], { column: 'sender', isPrefix: false }),
      mine('ana', { isAlternative: true }),
      mine('office', { isAlternative: true }),
    ],
  ],
  ['from:"me"', [term(['me'], { column: 'sender', isPrefix: false })]],
  ['to:me', ['ana', 'office'].map((local, at) => mine(local, { column: 'recipients', isAlternative: at > 0 }))],
  ['me subject:me', [term(['me'], { isPrefix: false }), term(['me'], { column: 'subject', isPrefix: false })]],
])('reads %s by the addresses of the person', (text, terms) => {
  expect(parseSearch(text, undefined, { ...own, addresses }).terms).toEqual(terms);
});

it('makes no alternative of what follows alternatives that have no room', () => {
  const many = Array.from({ length: 11 }, (_, n) => `a${n}@x.test`);
  const text = 'from:me to:me mill has:pdf has:image OR report';
  const { terms } = parseSearch(text, undefined, { ...own, addresses: many });
  expect(terms.at(-1)).toEqual(term(['report']));
});

it.each(['label:other', '-label:other', 'in:mill', 'label:"yarn / garn"', 'constructor:mill'])(
  'searches the words of %s, which the person has not made',
  (text) => {
    const { terms, ...conditions } = parseSearch(text, undefined, own);
    expect([terms.length > 0, conditions]).toEqual([true, {}]);
  },
);

it.each([
  'before:2026-02-30',
  'before:0100',
  '-in:anywhere',
  'before:yesterday',
  'before:31.2.2026',
  'older_than:2026',
  'hasattachment:maybe',
  'larger:big',
  'larger:',
  'is:',
  'in:nowhere',
])('searches the words of %s, which is no condition', (text) => {
  const { terms, ...conditions } = parseSearch(text);
  expect(conditions).toEqual({});
  expect(terms).toHaveLength(1);
});

it.each([
  ['newer_than:2d', { from: Date.UTC(2026, 2, 29, 12) }],
  ['older_than: 2w', { until: Date.UTC(2026, 2, 17, 12) }],
  ['older_than:1m', { until: Date.UTC(2026, 1, 28, 12) }],
  ['OLDER_THAN:1Y', { until: Date.UTC(2025, 2, 31, 12) }],
  ['-newer_than:1y', { until: Date.UTC(2025, 2, 31, 12) }],
])('reads %s as a span of time before now', (text, conditions) => {
  const clock = { momentOf: (wallClock: number) => wallClock, now: Date.UTC(2026, 2, 31, 12) };
  expect(parseSearch(text, clock)).toEqual({ terms: [], ...conditions });
});

it('begins a day where the person is, as the clocks stood there on that day', () => {
  const zone = new TimeZone('Europe/Berlin');
  const beginOf = (text: string) =>
    parseSearch(text, { momentOf: (wallClock) => zone.momentOf(wallClock), now: 0 }).from;
  expect(beginOf('after:2026-07-01')).toBe(Date.UTC(2026, 5, 30, 22));
  expect(beginOf('after:2026-11-23')).toBe(Date.UTC(2026, 10, 22, 23));
});

it('takes twelve terms at most, of which four may go on', () => {
  const { terms } = parseSearch('word '.repeat(60));
  expect(terms.map(({ isPrefix }) => isPrefix)).toEqual([...Array(4).fill(true), ...Array(8).fill(false)]);
});

it('asks for a bounded number of words, however many stand in a phrase', () => {
  const wordsIn = (text: string) => parseSearch(text).terms.flatMap(({ words }) => words);
  expect(wordsIn(`"${'a '.repeat(140)}" b`)).toEqual(Array(24).fill('a'));
  expect(wordsIn('one "two three" four')).toEqual(['one', 'two', 'three', 'four']);
});

it.each(['to:me ', 'has:image -has:image '])('takes no more phrases for %s than for two long lists', (piece) => {
  const many = Array.from({ length: 12 }, (_, index) => `a${index}@x.test`);
  const { terms } = parseSearch(`${piece.repeat(45)} mill`, undefined, { ...own, addresses: many });
  expect(terms).toHaveLength(25);
  expect(terms.at(-1)?.words).toEqual(['mill']);
});
