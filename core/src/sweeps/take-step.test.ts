import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { testApp } from '../../../tests/support/test-app.ts';
import type { App } from '../context/app.ts';
import { readRows } from '../database/run-sql.ts';
import { takeStep } from './take-step.ts';

const hourMs = 3_600_000;
const sweep = { name: 'blobs', longestPauseMs: hourMs } as const;
let app: App;

beforeAll(async () => {
  app = await testApp();
});

afterEach(async () => {
  await set("position = '', due_at = '2020-01-01', lease_until = NULL, claim_id = NULL");
});

async function set(columns: string): Promise<void> {
  await app.db.query(`UPDATE sweep_steps SET ${columns} WHERE name = 'blobs'`);
}

/** Takes a step and answers where it began; null when it was not taken. */
async function step(next = { position: 'next', pauseMs: 0 }): Promise<string | null> {
  let begun: string | null = null;
  await takeStep({ app }, sweep, async (position) => {
    begun = position;
    return next;
  });
  return begun;
}

describe('takeStep', () => {
  it('goes on where the last step ended, at any process', async () => {
    expect(await step({ position: '01', pauseMs: 0 })).toBe('');
    expect(await step({ position: '02', pauseMs: 0 })).toBe('01');
  });

  it('is not taken before its time', async () => {
    expect(await step({ position: '01', pauseMs: 60_000 })).toBe('');
    expect(await step()).toBeNull();
  });

  it('is taken by one process at a time', async () => {
    let others: (string | null)[] = [];
    await takeStep({ app }, sweep, async () => {
      others = await Promise.all([step(), step(), step()]);
      return { position: 'x', pauseMs: 0 };
    });
    expect(others).toEqual([null, null, null]);
    const taken = await Promise.all(Array.from({ length: 8 }, () => step({ position: 'y', pauseMs: 60_000 })));
    expect(taken.filter((position) => position !== null)).toEqual(['x']);
  });

  it('is taken again when the process that took it died', async () => {
    await set(`position = '07', lease_until = UTC_TIMESTAMP(3) + INTERVAL 5 MINUTE, claim_id = 'of the dead'`);
    expect(await step()).toBeNull();
    await set('lease_until = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND');
    expect(await step()).toBe('07');
  });

  it('is due again at the same place when it fails', async () => {
    await set(`position = '07'`);
    const failing = takeStep({ app }, sweep, () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    expect(await step()).toBe('07');
  });

  it('is due when a clock that was wrong put it off for years', async () => {
    await set("due_at = '2037-01-01', lease_until = '2037-01-01'");
    expect(await step()).toBe('');
  });

  it('does not move the sweep on when another process has taken over meanwhile', async () => {
    await takeStep({ app }, sweep, async () => {
      await set(`position = '44', claim_id = 'of another'`);
      return { position: '01', pauseMs: 0 };
    });
    const [row] = await readRows<{ position: string }>(
      { app },
      `SELECT position FROM sweep_steps WHERE name = 'blobs'`,
      [],
    );
    expect(row?.position).toBe('44');
  });
});
