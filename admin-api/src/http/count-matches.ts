import type { OfTenant } from '@selvage/core/access/scope';
import type { Ctx } from '@selvage/core/context/context';
import { type Attributes, literal, type ModelStatic, Op, type WhereOptions } from 'sequelize';
import { searchText } from './search-conditions.ts';

/** The records that a search finds. */
export interface Matches<M extends OfTenant> {
  total: number;
  /** The condition that finds these records: by their ids when there are few. */
  where: WhereOptions<Attributes<M>>;
}

/** What to search: records of a table with a computed text, as `searchText` describes it. */
interface Search<M extends OfTenant> {
  where: WhereOptions<Attributes<M>>;
  search: string;
}

/** The count of each part also returns up to this many ids. */
const mostIds = 500;

/**
 * Counts the records that a search finds. The texts in ASCII and all others are searched at the
 * same time, each in its part of the index. For few matches the ids are returned as well: finding
 * these records again in the order of a list could scan all records.
 */
export async function countMatches<M extends OfTenant>(
  ctx: Ctx,
  model: ModelStatic<M>,
  { where, search }: Search<M>,
): Promise<Matches<M>> {
  const conditions = searchText(model.name, search);
  const parts = await Promise.all(
    conditions.map(async (condition) => await countPart(ctx, model, { [Op.and]: [where, condition] })),
  );
  const total = parts.reduce((sum, part) => sum + part.total, 0);
  const ids = parts.flatMap((part) => part.ids);
  const found = ids.length === total ? { id: ids } : { [Op.or]: conditions };
  return { total, where: found as WhereOptions<Attributes<M>> };
}

async function countPart<M extends OfTenant>(
  ctx: Ctx,
  model: ModelStatic<M>,
  where: object,
): Promise<{ total: number; ids: string[] }> {
  const id = `${model.name}.id`;
  const ids = `IF(COUNT(*) <= ${mostIds}, GROUP_CONCAT(CONCAT(${id}, ';') SEPARATOR ''), NULL)`;
  const [row] = (await model.findAll({
    where: where as WhereOptions<Attributes<M>>,
    attributes: [
      [literal('COUNT(*)'), 'total'],
      [literal(ids), 'ids'],
    ],
    raw: true,
    transaction: ctx.tx,
  })) as unknown as { total: number; ids: string | null }[];
  // MariaDB cuts the list at its `group_concat_max_len`. The id that was cut has no `;`, so it does
  // not match
  return { total: Number(row?.total ?? 0), ids: String(row?.ids ?? '').match(/\d+(?=;)/g) ?? [] };
}
