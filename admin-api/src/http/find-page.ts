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
 * beyond the last one is empty.
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
  const shared = { where, transaction: ctx.tx, ...(include ? { include } : {}) };
  const total = await model.count(shared);
  const offset = (query.page - 1) * query.limit;
  if (offset >= total) return { rows: [], total };
  const rows = await model.findAll({
    ...shared,
    ...(attributes ? { attributes } : {}),
    order: orderOf(model, request),
    limit: query.limit,
    offset,
    subQuery: false,
  });
  return { rows, total };
}

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
): OrderItem[] {
  const direction = query.sort.startsWith('-') ? 'DESC' : 'ASC';
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
