import { describe, expect, it } from 'vitest';
import { parseMessage } from './parse-message.ts';

async function listOf(...lines: string[]) {
  const raw = ['From: a@x.test', ...lines, '', 'text', ''].join('\r\n');
  return (await parseMessage(Buffer.from(raw))).list;
}
const none = { https: null, mailto: null, isOneClick: false };
const post = 'List-Unsubscribe-Post: List-Unsubscribe=One-Click';

describe('the fields of a list', () => {
  it('name the list, and ways out of it', async () => {
    const list = await listOf(
      'List-Id: "The weavers" <weavers.x.test>',
      'List-Unsubscribe: <mailto:out@x.test?subject=out>,\r\n <https://x.test/out?id=1> (comment)',
      post,
    );
    const unsubscribe = { https: 'https://x.test/out?id=1', mailto: 'mailto:out@x.test?subject=out', isOneClick: true };
    expect(list).toEqual({ id: 'weavers.x.test', unsubscribe, post: null });
  });

  it.each<[string[], object]>([
    [[], none],
    [['List-Unsubscribe: <http://x.test/out>', post], none],
    [['List-Unsubscribe: <javascript:alert(1)>, <https:///x>, <file:///etc/passwd>', post], none],
    [['List-Unsubscribe: https://x.test/out', post], none],
    [['List-Unsubscribe: <https://x.test/1>', 'List-Unsubscribe: <https://x.test/2>', post], none],
    [['List-Unsubscribe: <https://x.test/1>'], { ...none, https: 'https://x.test/1' }],
    [['List-Unsubscribe: <https://x.test/1>', `${post}, x`], { ...none, https: 'https://x.test/1' }],
    [['List-Unsubscribe: <mailto:a@x.test>', post], { ...none, mailto: 'mailto:a@x.test' }],
    [['List-Unsubscribe: <mailto:a@x.test,b@x.test>', post], { ...none, mailto: 'mailto:a@x.test,b@x.test' }],
    [
      ['List-Unsubscribe: <mailto:out>, <https://x.test/1>, <mailto:out@x.test?subject=a,b>'],
      { ...none, https: 'https://x.test/1', mailto: 'mailto:out@x.test?subject=a,b' },
    ],
    [['List-Unsubscribe: <mailto:out>, <mailto:%ff@x.test>', post], none],
    [
      ['List-Unsubscribe: < https://x.test/out?\r\n id=1 >,\r\n <mailto:a@x.test?subject=\r\n\tout>', post],
      { https: 'https://x.test/out?id=1', mailto: 'mailto:a@x.test?subject=out', isOneClick: true },
    ],
    [
      [
        'List-Unsubscribe: =?utf-8?q?=3Chttps=3A//x=2Etest/out/ab?=\r\n =?utf-8?q?cd=3Fid=3D1=3E=2C?= <mailto:a@x.test>',
        post,
      ],
      { https: 'https://x.test/out/abcd?id=1', mailto: 'mailto:a@x.test', isOneClick: true },
    ],
    [['List-Unsubscribe: < >, <https://x.test/\r\n <b>', post], none],
  ])('are read strictly: %j', async (lines, expected) => {
    expect((await listOf(...lines)).unsubscribe).toEqual(expected);
  });

  it.each<[string[], string | null]>([
    [['List-Post: <mailto:weavers@x.test>'], 'weavers@x.test'],
    [['List-Post: <https://x.test/post>, <mailto:weavers@x.test?subject=New> (moderated)'], 'weavers@x.test'],
    [['List-Post: <MAILTO:weavers%2Bnew@x.test>'], 'weavers+new@x.test'],
    [['List-Post: NO (announcements alone)'], null],
    [['List-Post: weavers@x.test'], null],
    [['List-Post: <mailto:a@x.test,b@x.test>'], null],
    [['List-Post: <mailto:%ff@x.test>'], null],
    [['List-Post: <mailto:a@x.test%0d%0aBcc:b@x.test>'], null],
    [['List-Post: <javascript:alert(1)>'], null],
    [['List-Post: <mailto:a@x.test>', 'List-Post: <mailto:b@x.test>'], null],
  ])('name the address of the list: %j', async (lines, expected) => {
    expect((await listOf(...lines)).post).toBe(expected);
  });
});
