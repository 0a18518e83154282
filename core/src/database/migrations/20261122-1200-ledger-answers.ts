import type { QueryInterface } from 'sequelize';

// What a proof of the ledger needs: a row for every answer, and the rows of a day by an index.

const statements = [
  `ALTER TABLE deliveries
    ADD COLUMN answers INT UNSIGNED NOT NULL DEFAULT 1 AFTER reason,
    ADD KEY deliveries_day (created_at, direction, state)`,
  'ALTER TABLE messages ADD KEY messages_day (created_at)',
];

/** Adds how many answers a row stands for, and indexes by day. */
export async function up({ context }: { context: QueryInterface }): Promise<void> {
  for (const statement of statements) await context.sequelize.query(statement);
}
