import { QueryTypes, type Sequelize } from 'sequelize';

type Statement = Parameters<Sequelize['query']>[0];

/** The names of all tables, sorted. */
export async function tablesOf(db: Sequelize): Promise<string[]> {
  const tables = await db.query<Record<string, string>>('SHOW TABLES', { type: QueryTypes.SELECT });
  return tables.flatMap((row) => Object.values(row)).toSorted();
}

/** The statements with which MariaDB would make every table again. */
export async function schemaOf(db: Sequelize): Promise<string[]> {
  const made: string[] = [];
  for (const name of await tablesOf(db)) {
    const [row] = await db.query<Record<string, string>>(`SHOW CREATE TABLE ${name}`, { type: QueryTypes.SELECT });
    made.push((row?.['Create Table'] ?? '').replace(/ AUTO_INCREMENT=\d+/, ''));
  }
  return made;
}

/**
 * Makes a run fail at one statement, like a process that dies: before the statement, or right after
 * it when `isDone`.
 */
export function endingAt(db: Sequelize, number: number, isDone: boolean): { db: Sequelize; count: () => number } {
  let count = 0;
  const query = async (sql: Statement, options?: object): Promise<unknown> => {
    count += 1;
    if (count > number) throw new Error('died');
    if (count === number && !isDone) throw new Error('died');
    const answer = await db.query(sql, options as never);
    if (count === number) throw new Error('died');
    return answer;
  };
  const dying = Object.create(db) as Sequelize;
  const queryInterface = Object.create(db.getQueryInterface()) as { sequelize: Sequelize };
  queryInterface.sequelize = dying;
  Object.assign(dying, { query, getQueryInterface: () => queryInterface });
  return { db: dying, count: () => count };
}
