import type { Ctx } from '../context/context.ts';
import { parseJsonColumn } from '../database/parse-json-column.ts';
import { readRows } from '../database/run-sql.ts';
import { DraftAttachment } from '../models/draft-attachment.ts';
import { Draft } from '../models/draft.ts';
import { firstPeople } from './read-listed.ts';

type Shown = Pick<Draft, 'id' | 'subject' | 'preview' | 'starStatus' | 'version' | 'updatedAt'>;
type Lists = Pick<Draft, 'toList' | 'ccList' | 'bccList'>;

/**
 * A row of the list of drafts. Its lists of recipients may have only the first `mostInRow` in each;
 * `recipients` counts all of them. `files` is the number of its files.
 */
export interface ListedDraft {
  draft: Shown & Lists;
  recipients: number;
  files: number;
}

/** A row as the driver gives it: a flag is 0 or 1, and JSON and a sum are text. */
type Row = Omit<Shown, 'starStatus'> & Record<keyof Lists, string> & { starStatus: number; recipients: string };

/** One page of a person's drafts, the one that was saved last first, and how many there are. */
export async function listDrafts(
  ctx: Ctx,
  { userId, page, limit }: { userId: string; page: number; limit: number },
): Promise<{ rows: ListedDraft[]; total: number }> {
  const total = await Draft.count({ where: { userId }, transaction: ctx.tx });
  const rows = await readRows<Row>(
    ctx,
    `SELECT d.id, d.subject, d.preview, d.star_status AS starStatus, d.version, d.updated_at AS updatedAt,
            ${firstPeople('d.to_list')} AS toList, ${firstPeople('d.cc_list')} AS ccList,
            ${firstPeople('d.bcc_list')} AS bccList,
            JSON_LENGTH(d.to_list) + JSON_LENGTH(d.cc_list) + JSON_LENGTH(d.bcc_list) AS recipients
       FROM (SELECT id FROM drafts WHERE user_id = ? ORDER BY updated_at DESC, id DESC LIMIT ? OFFSET ?) page
       JOIN drafts d ON d.id = page.id ORDER BY d.updated_at DESC, d.id DESC`,
    [userId, limit, (page - 1) * limit],
  );
  const draftId = rows.map(({ id }) => String(id));
  const counts = await DraftAttachment.count({ where: { draftId }, group: ['draftId'], transaction: ctx.tx });
  const byDraft = new Map(counts.map((row) => [String(row['draftId']), row.count]));
  return { rows: rows.map((row) => listed(row, byDraft.get(String(row.id)) ?? 0)), total };
}

function listed({ recipients, ...row }: Row, files: number): ListedDraft {
  const lists = {
    toList: parseJsonColumn<string[]>(row.toList),
    ccList: parseJsonColumn<string[]>(row.ccList),
    bccList: parseJsonColumn<string[]>(row.bccList),
  };
  return { draft: { ...row, ...lists, starStatus: row.starStatus === 1 }, recipients: Number(recipients), files };
}
