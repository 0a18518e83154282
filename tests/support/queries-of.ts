import type { App } from '@selvage/core/context/app';

/**
 * The rows that models read while work is done, as statements. A session is touched once a minute,
 * so what is written says nothing. A test that asks runs nothing beside it.
 */
export async function queriesOf(app: App, work: () => Promise<unknown>): Promise<string[]> {
  const statements: string[] = [];
  const options = (app.db as unknown as { options: { logging: ((statement: string) => void) | false } }).options;
  const { logging } = options;
  options.logging = (statement) => {
    if (/^Executing \([^)]*\): SELECT\b/.test(statement)) statements.push(statement);
  };
  try {
    await work();
  } finally {
    options.logging = logging;
  }
  return statements;
}
