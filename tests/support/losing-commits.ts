import type { App } from '@selvage/core/context/app';
import { type Ctx, systemContext } from '@selvage/core/context/context';

/**
 * A database whose transactions commit. After `lose(n)`, the next n of them fail after their
 * commit, as when the connection loses the answer to COMMIT.
 */
export function losingCommits(app: App): { lossy: Ctx; lose: (answers: number) => void } {
  let left = 0;
  const db = Object.assign(Object.create(app.db) as App['db'], {
    transaction: async (...args: Parameters<App['db']['transaction']>) => {
      const result: unknown = await app.db.transaction(...args);
      if (left <= 0) return result;
      left -= 1;
      throw Object.assign(new Error('Connection lost'), { code: 'PROTOCOL_CONNECTION_LOST', fatal: true });
    },
  });
  const lose = (answers: number): void => {
    left = answers;
  };
  return { lossy: systemContext({ ...app, db }), lose };
}
