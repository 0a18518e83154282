import { describe, expect, it } from 'vitest';
import { testApp } from '../../../tests/support/test-app.ts';
import { doubtsAbout, doubtsAboutEngines, type EngineSettings } from './engine-settings.ts';

const right: EngineSettings = { flush: 1, packet: 64 * 2 ** 20, connections: 400, policy: 'noeviction' };
const config = { databasePool: 10, processes: { inbound: 2, submission: 2, workers: 2, api: 2 } };

describe('engines of the operator', () => {
  it('are doubted in a sentence for each setting that is not right', () => {
    expect(doubtsAbout(right, config)).toEqual([]);
    expect(doubtsAbout({ ...right, policy: null }, config)).toEqual([]);
    const wrong: EngineSettings = { flush: 2, packet: 2 ** 24, connections: 79, policy: 'allkeys-lru' };
    expect(doubtsAbout(wrong, config)).toEqual([
      'innodb_flush_log_at_trx_commit is 2, not 1: a crash of its machine loses mail that was taken',
      'max_allowed_packet is 16777216, less than 64M: large changes can fail',
      'max_connections is 79, and the processes may need 80',
      'maxmemory-policy of Redis is allkeys-lru, not noeviction: full, it drops jobs and counts of attempts',
    ]);
  });

  it('are asked for what they are set to', async () => {
    const doubts = await doubtsAboutEngines(await testApp());
    // Containers of tests do not wait for the disk
    expect(doubts.filter((doubt) => !doubt.startsWith('innodb_flush_log_at_trx_commit is 2,'))).toEqual([]);
  });
});
