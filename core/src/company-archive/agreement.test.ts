import { beforeAll, describe, expect, it } from 'vitest';
import { buildAlias, buildGroup, buildMailbox, buildRole, type Mailbox } from '../../../tests/support/factories.ts';
import { startTestApp, testEnvironment } from '../../../tests/support/test-app.ts';
import type { App } from '../context/app.ts';
import { type Ctx, systemContext } from '../context/context.ts';
import { receive } from '../mailstore/test-messages.ts';
import { Address } from '../models/address.ts';
import { Company } from '../models/company.ts';
import { CompanyArchive } from '../models/company-archive.ts';
import { Domain } from '../models/domain.ts';
import { Group } from '../models/group.ts';
import { GroupMember } from '../models/group-member.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import { Role } from '../models/role.ts';
import { User } from '../models/user.ts';
import type { Cursor } from './cursor.ts';
import { workOnArchive } from './make-archive.ts';
import { restoreCompany } from './restore-company.ts';
import {
  archiveCompany,
  askForArchive,
  eraseCompany,
  type FileOfArchive,
  keepFile,
  rewriteArchive,
} from './test-archives.ts';

let app: App;
let ctx: Ctx;

beforeAll(async () => {
  app = await startTestApp(await testEnvironment({ ARCHIVE_SPARE_BYTES: '0' }));
  ctx = systemContext(app);
});

const rowOf = (id: string) => CompanyArchive.findByPk(id, { rejectOnEmpty: true });
const cursorOf = async (id: string) => (await rowOf(id)).cursorAt as Cursor;

/** Begins the archive of a company and stops once its first person is written. */
async function writeFirstPerson(owner: Mailbox): Promise<string> {
  const id = await askForArchive(owner);
  while ((await cursorOf(id)).counts.people < 1) await workOnArchive(ctx, id, { longestMs: 1 });
  return id;
}

const refusal = (path: string) =>
  restoreCompany(ctx, { path }).then(
    () => 'restored',
    (error: Error) => error.message,
  );

describe('an archive of a company that is changed while it is made', { timeout: 60_000 }, () => {
  it('is restored with the roles, domains, aliases and people that came meanwhile', async () => {
    const ana = await buildMailbox(app);
    const bea = await buildMailbox(app, { tenant: ana });
    const [sales, info] = [await buildAlias(ana), await buildAlias(ana)];
    const id = await writeFirstPerson(ana);
    const role = await buildRole(ana, { name: 'Night shift' });
    await bea.user.update({ roleId: String(role.id) });
    const companyId = String(ana.company.id);
    const domainName = `second.${ana.domain.domainName}`;
    const domain = await Domain.create({ companyId, domainName, verifiedAt: new Date() });
    const cyd = await buildMailbox(app, { tenant: { ...ana, domain } });
    await sales.update({ userId: String(bea.user.id) });
    await info.destroy();
    const group = await buildGroup(ana, { local: info.address.split('@')[0] ?? '', members: [ana, cyd] });
    expect(await workOnArchive(ctx, id)).toBe('done');
    expect(await rowOf(id)).toMatchObject({ state: 'ready', people: 3 });
    const path = await keepFile(ctx, id);
    await eraseCompany(ctx, ana);
    const restored = (await restoreCompany(ctx, { path })).companyId;
    const night = await Role.findOne({ where: { companyId: restored, roleName: 'Night shift' }, rejectOnEmpty: true });
    const people = await User.findAll({ where: { companyId: restored }, order: [['id', 'ASC']] });
    expect(people.map(({ email }) => email)).toEqual([ana, bea, cyd].map(({ user }) => user.email));
    expect(people[1]?.roleId).toBe(night.id);
    const aliases = await Address.findAll({ where: { companyId: restored, kind: 'alias' } });
    expect(aliases).toMatchObject([{ address: sales.address, userId: people[1]?.id }]);
    const { id: groupId } = await Group.findOne({ where: { companyId: restored }, rejectOnEmpty: true });
    expect(await Address.findOne({ where: { address: group.address } })).toMatchObject({ kind: 'group', groupId });
    expect(await GroupMember.count({ where: { groupId } })).toBe(2);
  });

  it('is begun anew when a role of a written person is gone', async () => {
    const ana = await buildMailbox(app);
    const role = await buildRole(ana);
    await ana.user.update({ roleId: String(role.id) });
    await receive(ctx, [ana]);
    const id = await writeFirstPerson(ana);
    await ana.user.update({ roleId: String(ana.role.id) });
    await role.destroy();
    expect(await workOnArchive(ctx, id)).toBe('more');
    expect(await rowOf(id)).toMatchObject({ state: 'making', cursorAt: { anew: 1, stage: 'company' } });
    expect(await workOnArchive(ctx, id)).toBe('done');
    expect(await rowOf(id)).toMatchObject({ state: 'ready', done: 1, people: 1 });
    const path = await keepFile(ctx, id);
    await eraseCompany(ctx, ana);
    const { companyId } = await restoreCompany(ctx, { path });
    expect(await MailboxEntry.count({ where: { companyId } })).toBe(1);
  });

  it('is given up when its files contradict each other each time', async () => {
    const ana = await buildMailbox(app);
    // Stands for a company that is never the same
    await ana.domain.update({ verifiedAt: null });
    const id = await askForArchive(ana);
    const ends = [await workOnArchive(ctx, id), await workOnArchive(ctx, id), await workOnArchive(ctx, id)];
    expect(ends).toEqual(['more', 'more', 'done']);
    expect(await rowOf(id)).toMatchObject({ state: 'failed', problem: 'damaged' });
  });
});

/** Changes the text of one file of an archive. */
const withText = (name: RegExp, change: (text: string) => string) => (files: FileOfArchive[]) =>
  files.map((file) => (name.test(file.name) ? { ...file, content: Buffer.from(change(String(file.content))) } : file));

describe('the restore of an archive with digests that fit', { timeout: 60_000 }, () => {
  it('takes the order of older versions, in which roles and domains come first', async () => {
    const ana = await buildMailbox(app);
    await receive(ctx, [ana]);
    const path = await archiveCompany(ctx, ana);
    await eraseCompany(ctx, ana);
    const isFirst = ({ name }: FileOfArchive) => /^(?:roles|domains)\.json$/.test(name);
    const older = await rewriteArchive(path, ([company, ...files]) => [
      ...(company ? [company] : []),
      ...files.filter(isFirst),
      ...files.filter((file) => !isFirst(file)),
    ]);
    const { companyId } = await restoreCompany(ctx, { path: older });
    expect(await MailboxEntry.count({ where: { companyId } })).toBe(1);
  });

  it('gives no addresses in a domain that is not proved, whichever company owns it', async () => {
    const [ana, victim] = [await buildMailbox(app), await buildMailbox(app)];
    const alias = await buildAlias(ana, 'sales');
    const group = await buildGroup(ana, { local: 'all', members: [ana] });
    const path = await archiveCompany(ctx, ana);
    await eraseCompany(ctx, ana);
    const before = await Company.count();
    const foreign = `postmaster@${victim.domain.domainName}`;
    const typed = withText(/^domains\.json$/, (text) =>
      JSON.stringify([
        ...(JSON.parse(text) as object[]),
        { name: victim.domain.domainName, verified: false, active: true, expires: null, deleted: false },
      ]),
    );
    for (const address of [ana.user.email, alias.address, group.address]) {
      const forged = withText(/^(?:groups|.*\/person)\.json$/, (text) =>
        text.replaceAll(`"${address}"`, `"${foreign}"`),
      );
      const changed = await rewriteArchive(path, (files) => forged(typed(files)));
      expect(await refusal(changed)).toBe(`${foreign} is in a domain that domains.json does not have as verified`);
    }
    expect(await Company.count()).toBe(before);
    expect(await Address.count({ where: { address: foreign } })).toBe(0);
  });

  it('names what the files contradict each other in, and writes nothing', async () => {
    const ana = await buildMailbox(app);
    const bea = await buildMailbox(app, { tenant: ana });
    await receive(ctx, [ana]);
    const path = await archiveCompany(ctx, ana);
    await eraseCompany(ctx, ana);
    const before = await Company.count();
    const [own, other] = [ana.user.email, bea.user.email];
    const without = (name: RegExp) => (files: FileOfArchive[]) => files.filter((file) => !name.test(file.name));
    const twice = (name: RegExp) =>
      withText(name, (text) => JSON.stringify([text, text].flatMap((one) => JSON.parse(one) as object[])));
    const cases: [(files: FileOfArchive[]) => FileOfArchive[], string | RegExp][] = [
      [withText(/^roles\.json$/, () => '[]'), `${other} has a role that roles.json does not have`],
      [withText(/\/person\.json$/, (text) => text.replace(other, own)), `the address ${own} is there twice`],
      [without(/^domains\.json$/), 'the archive has no domains.json'],
      [
        (files) => files.flatMap((file) => (file.name === 'roles.json' ? [file, file] : file)),
        'roles.json is there twice',
      ],
      [twice(/^roles\.json$/), 'roles.json does not fit an archive: two roles have one number'],
      [twice(/^domains\.json$/), 'domains.json does not fit an archive: two domains have one name'],
      [without(/\/person\.json$/), /^people\/.*\.jsonl belongs to no person$/],
      [without(/\/cur\//), /^people\/.*\.jsonl names ".*", which is not before it$/],
      [withText(/\/cur\//, () => ''), /^people\/.* is shorter than its own header$/],
    ];
    for (const [change, reason] of cases) {
      expect(await refusal(await rewriteArchive(path, change))).toEqual(
        typeof reason === 'string' ? reason : expect.stringMatching(reason),
      );
    }
    expect(await Company.count()).toBe(before);
  });
});
