import { inScope, type OfTenant } from '@selvage/core/access/scope';
import { type SortOrder, searchWords } from '@selvage/core/contracts/list';
import type { Ctx } from '@selvage/core/context/context';
import {
  type Attributes,
  col,
  type FindOptions,
  type Includeable,
  type Model,
  type ModelStatic,
  Op,
  type OrderItem,
  type Utils,
  type WhereOptions,
  where as compare,
} from 'sequelize';
import { countMatches, type Matches } from './count-matches.ts';
import type { Page } from './paging.ts';
import { comparable, patternOf } from './search-conditions.ts';

/** The query of a list as its contract parsed it (`asList`). */
interface ListQuery<N extends string> {
  page: number;
  limit: number;
  search?: string | undefined;
  sort: SortOrder<N>;
}

/**
 * The rows that a list reads, and the column for each name of its contract. A column is an
 * attribute, or `<association>.<attribute>` of an include.
 */
export interface PageRequest<M extends Model, N extends string> {
  query: ListQuery<N>;
  sortColumns: Record<N, string>;
  searchColumns: readonly [string, ...string[]];
  /** Further texts to search, such as a value of a JSON column. */
  searchTexts?: readonly (Utils.Fn | Utils.Literal)[];
  /**
   * True when the table has a computed column with the text of its searched columns (`searchText`).
   */
  hasSearchText?: boolean;
  /**
   * True when an index of the table contains the order of the list: a page is then found in the
   * index alone, however far down the list it is. This takes a query more.
   */
  hasIndexedOrder?: boolean;
  /** Further conditions, e.g. the filters of the list. */
  where?: WhereOptions<Attributes<M>>;
  attributes?: (keyof Attributes<M> & string)[];
  /** Only associations with at most one record for each row: several would repeat the row. */
  include?: Includeable[];
}

/**
 * Reads one page of a tenant's records. It counts the records in one query and reads the rows in
 * another; a search of computed text takes four queries. Rows that are equal in the order asked for
 * are ordered by their id, so that each is on exactly one page. A page beyond the last one is
 * empty. A page in the second half is read from the end of the list, since the database has to skip
 * each row before it.
 */
export async function findPage<M extends OfTenant, N extends string>(
  ctx: Ctx,
  model: ModelStatic<M>,
  request: PageRequest<M, N>,
): Promise<Page<M[]>> {
  const { query, attributes, include } = request;
  const matches = await matchesOf(ctx, model, request);
  const narrowed = [inScope(ctx, model), request.where ?? {}];
  const where = { [Op.and]: [...narrowed, ...(matches ? [matches.where] : searchIn(model, request))] } as WhereOptions<
    Attributes<M>
  >;
  const shared = { where, transaction: ctx.tx };
  const joined = include ? { include } : {};
  // The count needs the join only when an association filters or is searched
  const isSearched = Boolean(query.search) && request.searchColumns.some((name) => name.includes('.'));
  const isJoinCounted = isSearched || (include ?? []).some((one) => typeof one === 'object' && 'required' in one);
  const count = async (): Promise<number> => await model.count({ ...shared, ...(isJoinCounted ? joined : {}) });
  const read = async ({ offset, limit, isBackwards = false }: Range): Promise<M[]> => {
    const order = orderOf(model, request, isBackwards);
    const page = { ...shared, order, limit, offset, subQuery: false };
    // An index may contain all columns that a search needs. Reading only the ids first keeps the
    // database from reading the rows of other pages
    const isByIds = matches !== null || (request.hasIndexedOrder && !isJoinCounted);
    const narrowed = isByIds
      ? { where: { id: await idsOf(model, page) } as unknown as WhereOptions<Attributes<M>>, offset: 0 }
      : {};
    return await model.findAll({ ...page, ...narrowed, ...joined, ...(attributes ? { attributes } : {}) });
  };
  const offset = (query.page - 1) * query.limit;
  if (matches === null && ctx.tx === undefined && offset < nearRows) {
    // The database runs each query on one core, so both run at once
    const [total, rows] = await Promise.all([count(), read({ offset, limit: query.limit })]);
    return { rows, total };
  }
  const total = matches?.total ?? (await count());
  if (offset >= total) return { rows: [], total };
  const limit = Math.min(query.limit, total - offset);
  if (offset <= total / 2) return { rows: await read({ offset, limit }), total };
  const rows = await read({ offset: total - offset - limit, limit, isBackwards: true });
  return { rows: rows.toReversed(), total };
}

async function idsOf<M extends OfTenant>(model: ModelStatic<M>, page: FindOptions<Attributes<M>>): Promise<string[]> {
  const rows = (await model.findAll({ ...page, attributes: ['id'], raw: true })) as unknown as { id: string }[];
  return rows.map(({ id }) => id);
}

/** A range of rows of the list, counted from its end if `isBackwards`. */
interface Range {
  offset: number;
  limit: number;
  isBackwards?: boolean;
}

/**
 * The records that a search finds in the computed text; null for a list that is not searched in it.
 */
async function matchesOf<M extends OfTenant, N extends string>(
  ctx: Ctx,
  model: ModelStatic<M>,
  { query: { search }, hasSearchText, where }: PageRequest<M, N>,
): Promise<Matches<M> | null> {
  if (!search || !hasSearchText) return null;
  const narrowed = { [Op.and]: [inScope(ctx, model), where ?? {}] } as WhereOptions<Attributes<M>>;
  return await countMatches(ctx, model, { where: narrowed, search });
}

/** Pages within this many rows are read without knowing the total first. */
const nearRows = 1000;

/** Each word must occur in one of the columns. */
function searchIn<M extends Model, N extends string>(
  model: ModelStatic<M>,
  { query, searchColumns, searchTexts = [] }: PageRequest<M, N>,
): object[] {
  const texts = [...searchColumns.map((name) => columnOf(model, name)), ...searchTexts];
  return searchWords(query.search ?? '').map((word) => {
    const pattern = patternOf(word);
    return { [Op.or]: texts.map((text) => compare(comparable(text), pattern)) };
  });
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
