import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { frameScript, frameScriptSource } from '@selvage/core/contracts/mail-frame';

it('names the script of a frame by its hash', () => {
  const hash = createHash('sha256').update(frameScript).digest('base64');
  expect(frameScriptSource).toBe(`'sha256-${hash}'`);
});
