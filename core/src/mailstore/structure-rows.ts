import type { Ctx, TxCtx } from '../context/context.ts';
import { changeRows, readRows } from '../database/run-sql.ts';
import { parseStructure } from '../mail/structure/structure-json.ts';
import type { MessageStructure } from '../mail/structure/message-structure.ts';

/** The structure of a message as JSON. */
export interface StructureRow {
  messageId: string;
  structure: string;
}

/** Writes the structures of messages of the same transaction, in one statement. */
export async function insertStructures(ctx: TxCtx, rows: readonly StructureRow[]): Promise<void> {
  const tuples = rows.map(() => '(?, ?)').join(', ');
  const values = rows.flatMap(({ messageId, structure }) => [messageId, structure]);
  await changeRows(ctx, `INSERT INTO message_structures (message_id, structure) VALUES ${tuples}`, values);
}

/** The structure of a message; null when it has none, or one of an older version. */
export async function findStructure(ctx: Ctx, messageId: string): Promise<MessageStructure | null> {
  const statement = 'SELECT structure FROM message_structures WHERE message_id = ?';
  const [row] = await readRows<StructureRow>(ctx, statement, [messageId]);
  return row ? parseStructure(row.structure) : null;
}

/** Writes the structure of a message that has none, unless the message is removed meanwhile. */
export async function saveStructure(ctx: Ctx, { messageId, structure }: StructureRow): Promise<void> {
  await changeRows(
    ctx,
    // IGNORE: if the message no longer exists, it needs no structure
    `INSERT IGNORE INTO message_structures (message_id, structure) VALUES (?, ?)
       ON DUPLICATE KEY UPDATE structure = VALUES(structure)`,
    [messageId, structure],
  );
}
