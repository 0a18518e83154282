import { QueryTypes, type Sequelize, type Transaction } from 'sequelize';

const progressTable = 'schema_progress';
/** Statements that a transaction can roll back. All others commit implicitly. */
const transactional = /^\s*(insert|update|delete|replace)\b/i;

/**
 * Errors of a statement that has been run before: what it adds exists, or what it drops is gone.
 */
const alreadyDone = new Set([
  1050, // table exists
  1060, // column exists
  1061, // key exists
  1091, // column or key to drop is not there
  1826, // foreign key exists
  1051, // table to drop is not there
  1146, // table to rename is not there
  1054, // column to change is not there
]);

/**
 * Statements that work through a large table in portions, by its ids. Each portion is a transaction
 * of its own, in which `:after` and `:upTo` are the ids that bound it.
 */
export interface TableWalk {
  /** The table. */
  walk: string;
  /** How many ids a portion spans. */
  rows: number;
  statements: readonly string[];
}

/** A part of a schema step. */
export type SchemaStatement = string | TableWalk;

/**
 * Runs the statements of one schema step in their order, each once. The process may die at any of
 * them, so the database holds how many are done, and the next run continues after those. DDL can't
 * share a transaction with that count. So the first statement of a continued run may have been done
 * already. Then its error is ignored.
 */
export async function runSchemaStep(
  db: Sequelize,
  name: string,
  statements: readonly SchemaStatement[],
): Promise<void> {
  await db.query(
    `CREATE TABLE IF NOT EXISTS ${progressTable} (
       name VARCHAR(255) NOT NULL PRIMARY KEY, done INT UNSIGNED NOT NULL, walked BIGINT UNSIGNED NOT NULL DEFAULT 0)`,
  );
  // Databases of older versions have the table without this column
  await runAgain(db, `ALTER TABLE ${progressTable} ADD COLUMN walked BIGINT UNSIGNED NOT NULL DEFAULT 0`);
  const first = await beginOrGoOn(db, name);
  for (const [index, statement] of statements.entries()) {
    if (index < first.done) continue;
    const isFirst = first.goesOn && index === first.done;
    if (typeof statement !== 'string') {
      await walkTable(db, { name, index, walk: statement, after: isFirst ? first.walked : 0 });
    } else await runStatementOnce(db, { name, index, statement, mayBeDone: isFirst });
  }
}

interface Progress {
  done: number;
  /** The last id of the portions that are done, when a walk was interrupted. */
  walked: number;
  goesOn: boolean;
}

async function beginOrGoOn(db: Sequelize, name: string): Promise<Progress> {
  const [row] = await db.query<{ done: number; walked: string }>(
    `SELECT done, walked FROM ${progressTable} WHERE name = :name`,
    { replacements: { name }, type: QueryTypes.SELECT },
  );
  if (row) return { done: row.done, walked: Number(row.walked), goesOn: true };
  await db.query(`INSERT INTO ${progressTable} (name, done) VALUES (:name, 0)`, { replacements: { name } });
  return { done: 0, walked: 0, goesOn: false };
}

interface Piece {
  name: string;
  index: number;
  statement: string;
  mayBeDone: boolean;
}

async function runStatementOnce(db: Sequelize, { name, index, statement, mayBeDone }: Piece): Promise<void> {
  if (transactional.test(statement)) {
    await db.transaction(async (transaction) => {
      await db.query(statement, { transaction });
      await noteDone(db, { name, index }, transaction);
    });
    return;
  }
  if (mayBeDone) await runAgain(db, statement);
  else await db.query(statement);
  await noteDone(db, { name, index });
}

/** Runs a statement that may have been done already. */
async function runAgain(db: Sequelize, statement: string): Promise<void> {
  try {
    await db.query(statement);
  } catch (error) {
    const { errno } = (error as { original?: { errno?: number } }).original ?? {};
    if (errno === undefined || !alreadyDone.has(errno)) throw error;
  }
}

async function noteDone(
  db: Sequelize,
  { name, index }: Pick<Piece, 'name' | 'index'>,
  transaction?: Transaction,
): Promise<void> {
  await db.query(`UPDATE ${progressTable} SET done = :done, walked = 0 WHERE name = :name`, {
    replacements: { name, done: index + 1 },
    ...(transaction ? { transaction } : {}),
  });
}

interface Walk {
  name: string;
  index: number;
  walk: TableWalk;
  /** Rows up to this id are done. */
  after: number;
}

async function walkTable(db: Sequelize, { name, index, walk, after: first }: Walk): Promise<void> {
  const [row] = await db.query<{ last: string | null }>(`SELECT MAX(id) AS last FROM ${walk.walk}`, {
    type: QueryTypes.SELECT,
  });
  const last = Number(row?.last ?? 0);
  for (let after = first; after < last; after += walk.rows) {
    const upTo = after + walk.rows;
    await db.transaction(async (transaction) => {
      for (const statement of walk.statements) {
        await db.query(statement, { replacements: { after, upTo }, transaction });
      }
      const replacements = { name, walked: upTo };
      await db.query(`UPDATE ${progressTable} SET walked = :walked WHERE name = :name`, { replacements, transaction });
    });
  }
  await noteDone(db, { name, index });
}
