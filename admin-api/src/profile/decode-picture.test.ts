import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { decodePicture } from './decode-picture.ts';

const blank = (side: number) =>
  sharp({ create: { width: side, height: side, channels: 3, background: 'olive' } })
    .png()
    .toBuffer();

describe('pictures of several companies', () => {
  it('are drawn without waiting for all pictures of one of them', async () => {
    const [large, small] = await Promise.all([blank(4000), blank(40)]);
    const done: string[] = [];
    const draw = async (company: string, bytes: Buffer) => {
      await decodePicture(bytes, company);
      done.push(company);
    };
    const flood = Array.from({ length: 5 }, () => draw('flood', large));
    await draw('other', small);
    expect(done.filter((company) => company === 'flood').length).toBeLessThan(2);
    await Promise.all(flood);
  });
});
