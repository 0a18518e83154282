import { authenticateMessage } from '@selvage/core/mail/authenticate-message';
import { parseMessage } from '@selvage/core/mail/parse-message';
import { describe, expect, it } from 'vitest';
import { bombs } from './bombs.ts';

function bombOf(name: string) {
  const found = bombs.find((bomb) => bomb.name === name);
  if (!found) throw new Error(`there is no bomb of ${name}`);
  return { text: found.build('x'), records: found.records ?? {} };
}

describe('the bomb', () => {
  it('of parameters has as many as its name says', () => {
    const { text } = bombOf('a Content-Type of 10,000 parameters');
    expect(
      text
        .toString('latin1')
        .replace(/\r\n /g, '')
        .match(/;a\*\d+=b/g),
    ).toHaveLength(10_000);
  });

  it('of signed files is small, and has too many parts within them', async () => {
    const { text } = bombOf('11 signed files with 990 parts each');
    expect(text.length).toBeLessThan(96 * 1024);
    expect(text.toString('latin1').match(/\n--b/g)).toHaveLength(12);
    await expect(parseMessage(text)).rejects.toMatchObject({ reason: 'too_many_parts' });
  });

  it('of signed files with files is read up to the limits on files', async () => {
    const { text } = bombOf('400 signed files with 200 empty files each');
    // Each signed file, the file within it, and those of the first one
    expect((await parseMessage(text)).attachments).toHaveLength(400 + 399 + 200);
  });

  it('of ARC seals has each of them checked', async () => {
    const { text, records } = bombOf('50 ARC seals with a valid key');
    const { arc, header } = await authenticateMessage(text, {
      ip: '192.0.2.1',
      helo: 'remote.test',
      mailFrom: 'bomb@remote.test',
      mta: 'mx.host.test',
      resolver: (name, type) => {
        const entry = records[name];
        const texts = typeof entry === 'object' ? entry[type] : undefined;
        if (!texts) return Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }));
        return Promise.resolve(texts.map((pieces) => [pieces].flat().map(String)));
      },
    });
    expect(arc).toEqual({ result: 'fail' });
    // The seals are checked from the newest to the oldest, and this signature after all of them
    expect(header).toContain('arc=fail (i=50 no valid signature)');
  });
});
