import { randomUUID } from 'node:crypto';
import type { App } from '@selvage/core/context/app';
import { describe, expect, it } from 'vitest';
import { testApp } from '../../../tests/support/test-app.ts';
import { countMessage } from './check-mail-from.ts';

async function limited(limit: number): Promise<App> {
  const app = await testApp();
  return Object.assign(Object.create(app) as App, { config: { ...app.config, smtpRatePerMinutePerAddress: limit } });
}

describe('countMessage', () => {
  it('defers an address that sends too many messages in a minute, and no other', async () => {
    const app = await limited(3);
    const [fast, other] = [randomUUID(), randomUUID()];
    for (let count = 1; count <= 3; count += 1) expect(await countMessage(app, fast, false)).toBeNull();
    expect(await countMessage(app, fast, false)).toMatchObject({
      code: 450,
      enhancedCode: '4.7.1',
      reason: 'rate_limited',
    });
    expect(await countMessage(app, other, false)).toBeNull();
  });

  it("counts neither this machine's own programs, nor any address when there is no limit", async () => {
    const own = randomUUID();
    const [strict, open] = [await limited(1), await limited(0)];
    for (let count = 1; count <= 3; count += 1) {
      expect(await countMessage(strict, own, true)).toBeNull();
      expect(await countMessage(open, own, false)).toBeNull();
    }
  });
});
