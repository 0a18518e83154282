import { inScope, type OfTenant } from '@selvage/core/access/scope';
import { type SortOrder, searchWords } from '@selvage/core/contracts/list';
import type { Ctx } from '@selvage/core/context/context';
import {
  type Attributes,
  cast,
  col,
  type Includeable,
  type Model,
  type ModelStatic,
  Op,
  type OrderItem,
  type WhereOptions,
  where as compare,
} from 'sequelize';
import type { Page } from './paging.ts';

/** The query of a list as its contract parsed it (`asList`). */
interface ListQuery<N extends string> {
  page: number;
  limit: number;
  search?: string | undefined;
  sort: SortOrder<N>;
}

/**
 * The rows of a list, and the columns that the names of its contract stand for. A column is an
 * attribute, or `<association>.<attribute>` of an include.
 */
export interface PageRequest<M extends Model, N extends string> {
  query: ListQuery<N>;
  sortColumns: Record<N, string>;
  searchColumns: readonly [string, ...string[]];
  /** Narrows the list, e.g. by its filters. */
  where?: WhereOptions<Attributes<M>>;
  attributes?: (keyof Attributes<M> & string)[];
  /** Only associations with at most one record for each row: several would repeat the row. */
  include?: Includeable[];
}

/**
 * One page of a tenant's records, in two queries: how many there are, and the rows. Rows that are
 * equal in the order asked for are ordered by their id, so that each is on exactly one page. A page
 * beyond the last one is empty. One in the second half is read from the end of the list, since the
 * database skips each row before it.
 */
export async function findPage<M extends OfTenant, N extends string>(
  ctx: Ctx,
  model: ModelStatic<M>,
  request: PageRequest<M, N>,
): Promise<Page<M[]>> {
  const { query, attributes, include } = request;
  const where = { [Op.and]: [inScope(ctx, model), request.where ?? {}, ...searchIn(model, request)] } as WhereOptions<
    Attributes<M>
  >;
  const shared = { where, transaction: ctx.tx };
  const joined = include ? { include } : {};
  // An association that neither filters nor is searched changes no count
  const isSearched = Boolean(query.search) && request.searchColumns.some((name) => name.includes('.'));
  const isJoinCounted = isSearched || (include ?? []).some((one) => typeof one === 'object' && 'required' in one);
  const count = async (): Promise<number> => await model.count({ ...shared, ...(isJoinCounted ? joined : {}) });
  const read = async ({ offset, limit, isBackwards = false }: Range): Promise<M[]> =>
    await model.findAll({
      ...shared,
      ...joined,
      ...(attributes ? { attributes } : {}),
      order: orderOf(model, request, isBackwards),
      limit,
      offset,
      subQuery: false,
    });
  const offset = (query.page - 1) * query.limit;
  if (ctx.tx === undefined && offset < nearRows) {
    // The database does the work of each on one core
    const [total, rows] = await Promise.all([count(), read({ offset, limit: query.limit })]);
    return { rows, total };
  }
  const total = await count();
  if (offset >= total) return { rows: [], total };
  const limit = Math.min(query.limit, total - offset);
  if (offset <= total / 2) return { rows: await read({ offset, limit }), total };
  const rows = await read({ offset: total - offset - limit, limit, isBackwards: true });
  return { rows: rows.toReversed(), total };
}

/** Rows of the list in its order, or counted from its end. */
interface Range {
  offset: number;
  limit: number;
  isBackwards?: boolean;
}

/** Pages up to here are read without knowing how many rows there are. */
const nearRows = 1000;

/** Each word must occur in one of the columns. */
function searchIn<M extends Model, N extends string>(
  model: ModelStatic<M>,
  { query, searchColumns }: PageRequest<M, N>,
): object[] {
  return searchWords(query.search ?? '').map((word) => {
    const pattern = { [Op.like]: `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%` };
    return { [Op.or]: searchColumns.map((name) => compare(comparable(columnOf(model, name)), pattern)) };
  });
}

/**
 * Converts a column for LIKE. Columns of addresses and domains compare byte by byte, and those in
 * ASCII fail on any other letter.
 */
function comparable(column: string) {
  return cast(col(column), 'char character set utf8mb4');
}

function orderOf<M extends Model, N extends string>(
  model: ModelStatic<M>,
  { query, sortColumns }: PageRequest<M, N>,
  isBackwards: boolean,
): OrderItem[] {
  const direction = query.sort.startsWith('-') === isBackwards ? 'ASC' : 'DESC';
  const name = query.sort.replace(/^-/, '') as N;
  return [
    [col(columnOf(model, sortColumns[name])), direction],
    [col(columnOf(model, 'id')), direction],
  ];
}

function columnOf(model: ModelStatic<Model>, name: string): string {
  const [attribute = '', association] = name.split('.').reverse();
  const owner = association ? model.associations[association]?.target : model;
  const field = owner?.getAttributes()[attribute]?.field;
  if (!field) throw new Error(`${model.name} has no column ${name}`);
  return `${association ?? model.name}.${field}`;
}
