import { type Ctx, inTransaction } from '../context/context.ts';
import { changeRows, readRows } from '../database/run-sql.ts';
import { workOnStep } from './work-on-step.ts';

/** A folder whose stored number of bytes differs from a count. */
export interface WrongFigure {
  folderId: string;
  userId: string;
  kept: number;
  counted: number;
}

/** The result of one step over the folders. */
export interface StorageStep {
  /** The last folder that was checked; null when there is none after it. */
  last: string | null;
  checked: number;
  wrong: WrongFigure[];
  /** Folders whose count failed, such as by taking too long. */
  uncounted: string[];
}

/**
 * The sizes of a folder's messages; for the folder of drafts, those of their texts, recipients and
 * files.
 */
const counted = `
  IF(f.role <=> 'draft',
     (SELECT COALESCE(SUM(a.size), 0) FROM drafts d JOIN draft_attachments a ON a.draft_id = d.id
       WHERE d.user_id = f.user_id)
     + (SELECT COALESCE(SUM(d.body_bytes), 0) FROM drafts d WHERE d.user_id = f.user_id),
     (SELECT COALESCE(SUM(m.size), 0) FROM mailbox_entries e JOIN messages m ON m.id = e.message_id
       WHERE e.folder_id = f.id))`;

/**
 * Compares the stored bytes of the next hundred folders past `after` with a count. One statement
 * reads both figures of a folder, so mail that comes and goes meanwhile does not count as an error.
 */
export async function checkStorage(ctx: Ctx, after: string, signal?: AbortSignal): Promise<StorageStep> {
  const wrong: WrongFigure[] = [];
  const failure = 'the bytes of a folder could not be counted';
  const { last, looked, failed } = await workOnStep(ctx, 'folders', { after, failure, signal }, async (id) => {
    const figure = await compare(ctx, id);
    if (figure !== null && figure.kept !== figure.counted) wrong.push(figure);
  });
  return { last, checked: looked, wrong, uncounted: failed };
}

/** Whether the stored bytes of every folder of a person equal a count. */
export async function verifyStorage(ctx: Ctx, userId: string): Promise<boolean> {
  const folders = await readRows<{ id: string }>(ctx, 'SELECT id FROM folders WHERE user_id = ?', [userId]);
  const figures = await Promise.all(folders.map(({ id }) => compare(ctx, String(id))));
  return figures.every((figure) => figure === null || figure.kept === figure.counted);
}

/**
 * Adds the difference to the stored bytes of a folder. Both figures are of the same moment, so mail
 * that came since stays counted, and no delivery waits for a second count.
 */
export async function mendStorage(ctx: Ctx, { folderId, kept, counted: right }: WrongFigure): Promise<void> {
  const statement = 'UPDATE folders SET bytes = GREATEST(CAST(bytes AS SIGNED) + ?, 0) WHERE id = ?';
  await inTransaction(ctx, (tx) => changeRows(tx, statement, [right - kept, folderId]));
}

async function compare(ctx: Ctx, folderId: string): Promise<WrongFigure | null> {
  const [row] = await readRows<{ userId: string; kept: string; counted: string }>(
    ctx,
    `SELECT f.user_id AS userId, f.bytes AS kept, ${counted} AS counted FROM folders f WHERE f.id = ?`,
    [folderId],
  );
  if (!row) return null;
  return { folderId, userId: String(row.userId), kept: Number(row.kept), counted: Number(row.counted) };
}
