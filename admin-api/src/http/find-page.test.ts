import type { SortOrder } from '@selvage/core/contracts/list';
import { Domain } from '@selvage/core/models/domain';
import { Signature } from '@selvage/core/models/signature';
import type { App } from '@selvage/core/context/app';
import { type Ctx, systemContext } from '@selvage/core/context/context';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { findPage, type PageRequest } from './find-page.ts';

let app: App;
let own: Mailbox;
let foreign: Mailbox;
let ctx: Ctx;

type Sort = 'name' | 'createdAt';

beforeAll(async () => {
  app = await testApp();
  own = await buildMailbox(app);
  foreign = await buildMailbox(app);
  ctx = contextOf(own);
});

function contextOf({ company }: Mailbox): Ctx {
  return { ...systemContext(app), scope: { kind: 'company', companyId: String(company.id) } };
}

async function addSignatures(owner: Mailbox, names: string[], body = 'text'): Promise<void> {
  const ids = { companyId: String(owner.company.id), userId: String(owner.user.id) };
  await Signature.bulkCreate(
    names.map((signatureName) => ({ ...ids, signatureName, nameKey: signatureName, signatureBody: body })),
  );
}

async function page(
  query: Partial<{ page: number; limit: number; search: string; sort: SortOrder<Sort> }> = {},
  more: Partial<PageRequest<Signature, Sort>> = {},
): Promise<{ names: string[]; total: number }> {
  const { rows, total } = await findPage<Signature, Sort>(ctx, Signature, {
    query: { page: 1, limit: 100, sort: 'name', ...query },
    sortColumns: { name: 'signatureName', createdAt: 'createdAt' },
    searchColumns: ['signatureName', 'signatureBody'],
    ...more,
  });
  return { names: rows.map(({ signatureName }) => signatureName), total };
}

/**
 * The statements about signatures that `work` sends to the database. Other statements of the host
 * are left out.
 */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const statements: string[] = [];
  const { options } = app.db as unknown as { options: { logging: false | ((statement: string) => void) } };
  options.logging = (statement) => void statements.push(statement);
  await work();
  options.logging = false;
  return statements.filter((statement) => statement.includes('`signatures`'));
}

describe('findPage', () => {
  it("never leaves the actor's company, whatever the request says", async () => {
    await addSignatures(foreign, ['scoped theirs']);
    await addSignatures(own, ['scoped mine']);
    expect(await page({ search: 'scoped' })).toEqual({ names: ['scoped mine'], total: 1 });
    const where = { companyId: String(foreign.company.id) };
    expect(await page({ search: 'scoped' }, { where })).toEqual({ names: [], total: 0 });
    ctx = { ...ctx, scope: { kind: 'host' } };
    expect((await page({ search: 'scoped' })).names).toEqual(['scoped mine', 'scoped theirs']);
    ctx = contextOf(own);
  });

  it('shows each of several equal rows on exactly one page, in both directions', async () => {
    const names = Array.from({ length: 23 }, (_, number) => `rank ${number}`);
    await addSignatures(own, names);
    await Signature.update({ createdAt: new Date() }, { where: { companyId: own.company.id }, silent: true });
    for (const sort of ['createdAt', '-createdAt'] as const) {
      const pages = [];
      for (let number = 1; number <= 6; number += 1) {
        pages.push(await page({ search: 'rank', sort, page: number, limit: 5 }));
      }
      expect(pages.map((one) => one.total)).toEqual(Array(6).fill(23));
      const seen = pages.flatMap((one) => one.names);
      expect(seen).toEqual(sort === 'createdAt' ? names : names.toReversed());
      expect(pages.at(-1)?.names).toEqual([]);
    }
    expect((await page({ search: 'rank', sort: '-name', limit: 2 })).names).toEqual(['rank 9', 'rank 8']);
  });

  it('needs two statements for a page, and one beyond the last', async () => {
    await addSignatures(
      own,
      Array.from({ length: 60 }, (_, number) => `count ${number}`),
    );
    expect(await statementsOf(() => page({ search: 'count', limit: 50 }))).toHaveLength(2);
    expect(await statementsOf(() => page({ search: 'count', page: 1_000_000_000 }))).toHaveLength(1);
  });

  it('searches for what was typed, each word in any column', async () => {
    await addSignatures(own, ['100% wool', '1000 wool', 'a_b wool', 'aXb wool', String.raw`back\slash wool`]);
    await addSignatures(own, ['in the body'], 'Grüße from ANA wool');
    const found = async (search: string) => (await page({ search })).names;
    expect(await found('100%')).toEqual(['100% wool']);
    expect(await found('a_b')).toEqual(['a_b wool']);
    expect(await found(String.raw`k\s`)).toEqual([String.raw`back\slash wool`]);
    expect(await found("' OR 1=1 -- ")).toEqual([]);
    expect(await found('BODY ana')).toEqual(['in the body']);
    expect(await found('grusse')).toEqual([]);
    expect(await found('body wool nothing')).toEqual([]);
    expect((await page({ search: 'wool' })).total).toBe(6);
  });

  it('searches columns of ASCII and of another record for any letter', async () => {
    const domains = async (search: string) => {
      const { rows } = await findPage(ctx, Domain, {
        query: { page: 1, limit: 10, search, sort: '-company' },
        sortColumns: { company: 'company.name' },
        searchColumns: ['domainName', 'company.name'],
        include: [{ association: 'company' }],
      });
      return rows.map(({ domainName }) => domainName);
    };
    const { domainName } = own.domain;
    expect(await domains(domainName.toUpperCase())).toEqual([domainName]);
    expect(await domains(own.company.name)).toEqual([domainName]);
    expect(await domains('büro 漢字 😀')).toEqual([]);
  });
});
