import { QueryTypes, type Sequelize, type Transaction } from 'sequelize';

const progressTable = 'schema_progress';
/** Statements that a transaction can take back. All others commit by themselves. */
const transactional = /^\s*(insert|update|delete|replace)\b/i;

/** What a statement of a schema step meets that was run before: it is there, or gone, already. */
const alreadyDone = new Set([
  1050, // table exists
  1060, // column exists
  1061, // key exists
  1091, // column or key to drop is not there
  1826, // foreign key exists
  1051, // table to drop is not there
]);

/**
 * Runs the statements of one schema step, each once, in their order. A process may die at any of
 * them: how many are done is kept in the database, and the next run goes on behind the last one. A
 * change of a table can't share a transaction with that note. So the first statement of a run that
 * goes on may have been done already, and is then passed over.
 */
export async function runSchemaStep(db: Sequelize, name: string, statements: readonly string[]): Promise<void> {
  await db.query(
    `CREATE TABLE IF NOT EXISTS ${progressTable} (name VARCHAR(255) NOT NULL PRIMARY KEY, done INT UNSIGNED NOT NULL)`,
  );
  const first = await beginOrGoOn(db, name);
  for (const [index, statement] of statements.entries()) {
    if (index < first.done) continue;
    const mayBeDone = first.goesOn && index === first.done;
    await runStatementOnce(db, { name, index, statement, mayBeDone });
  }
}

async function beginOrGoOn(db: Sequelize, name: string): Promise<{ done: number; goesOn: boolean }> {
  const [row] = await db.query<{ done: number }>(`SELECT done FROM ${progressTable} WHERE name = :name`, {
    replacements: { name },
    type: QueryTypes.SELECT,
  });
  if (row) return { done: row.done, goesOn: true };
  await db.query(`INSERT INTO ${progressTable} (name, done) VALUES (:name, 0)`, { replacements: { name } });
  return { done: 0, goesOn: false };
}

interface Piece {
  name: string;
  index: number;
  statement: string;
  mayBeDone: boolean;
}

async function runStatementOnce(db: Sequelize, { name, index, statement, mayBeDone }: Piece): Promise<void> {
  const note = (transaction?: Transaction) =>
    db.query(`UPDATE ${progressTable} SET done = :done WHERE name = :name`, {
      replacements: { name, done: index + 1 },
      ...(transaction ? { transaction } : {}),
    });
  if (transactional.test(statement)) {
    await db.transaction(async (transaction) => {
      await db.query(statement, { transaction });
      await note(transaction);
    });
    return;
  }
  try {
    await db.query(statement);
  } catch (error) {
    const { errno } = (error as { original?: { errno?: number } }).original ?? {};
    if (!mayBeDone || errno === undefined || !alreadyDone.has(errno)) throw error;
  }
  await note();
}
