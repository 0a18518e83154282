import { describe, expect, it } from 'vitest';
import { cleanReply, judgeConnectFailure, judgeSendFailure } from './outcome.ts';

const hidden = /[\p{Cc}\p{Cf}\u2028\u2029]/u;

describe('the words of a remote server', () => {
  it('are one line without a letter that shows nothing, turns others around or moves a terminal', () => {
    const letters = String.fromCodePoint(
      ...Array.from({ length: 0x3000 }, (_, code) => code),
      ...Array.from({ length: 0x200 }, (_, n) => 0xfe00 + n),
      ...Array.from({ length: 0x80 }, (_, n) => 0xe_0000 + n),
    );
    for (let at = 0; at < letters.length; at += 500) {
      expect(cleanReply(letters.slice(at, at + 500))).not.toMatch(hidden);
    }
    expect(cleanReply('550-no\r\n550 {"msg":"forged"}\u001b[2J\u202e')).toBe('550-no 550 {"msg":"forged"} [2J');
    expect(cleanReply('x'.repeat(5000))).toHaveLength(900);
  });

  it('are clean in the result of each failure', () => {
    const response = '550 no\r\n{"msg":"forged"}\u009b2J';
    for (const code of [undefined, 421, 550]) {
      const error = Object.assign(new Error('x'), { response, responseCode: code });
      for (const judge of [judgeConnectFailure, judgeSendFailure]) {
        expect(judge(error, 'mx.test').reply).toBe('550 no {"msg":"forged"} 2J');
      }
    }
  });
});
