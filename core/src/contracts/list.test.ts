import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { flag, id } from './fields.ts';
import { asList } from './list.ts';

const call = endpoint({
  method: 'GET',
  path: '/client/get/all',
  summary: 'Clients',
  needs: 'self',
  ...asList({
    sort: ['name', 'createdAt'],
    defaultSort: '-createdAt',
    filters: { active_status: flag.optional(), company_id: id.optional() },
  }),
  answer: z.array(z.string()),
});

/** What a query string becomes, or the fields that are wrong. */
function read(query: Record<string, unknown>) {
  const result = call.query?.safeParse(query);
  if (!result) throw new Error('the list has no query');
  return result.success ? result.data : result.error.issues.map(({ path }) => path.join('.'));
}

describe('asList', () => {
  it('fills in what was not asked for', () => {
    expect(read({})).toEqual({ page: 1, limit: 10, sort: '-createdAt' });
  });

  it('reads page, search, order and filters from text', () => {
    const query = { page: '3', limit: '40', search: '  ana  wool ', sort: '-name', active_status: 'false' };
    expect(read(query)).toEqual({ page: 3, limit: 40, search: 'ana  wool', sort: '-name', active_status: false });
    expect(read({ search: '   ' })).toMatchObject({ search: undefined });
  });

  it('names the field that is wrong', () => {
    for (const sort of ['id', 'name desc', 'name;DROP TABLE users', '--name', '', ['name', 'name']]) {
      expect([sort, read({ sort })]).toEqual([sort, ['sort']]);
    }
    for (const limit of ['0', '101', '2.5', 'all']) expect([limit, read({ limit })]).toEqual([limit, ['limit']]);
    expect(read({ active_status: "1' OR '1'='1", company_id: '1 OR 1=1' })).toEqual(['active_status', 'company_id']);
    expect(read({ search: 'x'.repeat(201) })).toEqual(['search']);
    expect(read({ search: 'a b c d e f g h i j k' })).toEqual(['search']);
    expect(read({ search: ['a', 'b'] })).toEqual(['search']);
  });

  it('tells the browser its columns, order and filters as plain values', () => {
    expect(call.list).toEqual({
      sort: ['name', 'createdAt'],
      defaultSort: '-createdAt',
      filters: ['active_status', 'company_id'],
    });
    expect(call.paged).toBe(true);
  });
});
