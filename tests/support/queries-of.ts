import type { App } from '@selvage/core/context/app';

/** The statements that models make while work is done. A test that asks runs nothing beside it. */
export async function queriesOf(app: App, work: () => Promise<unknown>): Promise<string[]> {
  const statements: string[] = [];
  const options = (app.db as unknown as { options: { logging: ((statement: string) => void) | false } }).options;
  const { logging } = options;
  options.logging = (statement) => void statements.push(statement);
  try {
    await work();
  } finally {
    options.logging = logging;
  }
  return statements;
}
