import { randomBytes, randomUUID } from 'node:crypto';
import { builtInRole } from '@selvage/core/contracts/permissions';
import { encodePassword } from '@selvage/core/contracts/fields';
import { type ImportDto, maxImportBytes } from '@selvage/core/contracts/many-users';
import { AuditEvent } from '@selvage/core/models/audit-event';
import { User } from '@selvage/core/models/user';
import { beforeAll, describe, expect, it } from 'vitest';
import { longestTurn } from '../../../tests/support/event-loop.ts';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { type Administrator, buildAdministrator, buildProvider, buildRole } from '../test-people.ts';
import { startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;
let admin: Administrator;
let domain: string;

beforeAll(async () => {
  server = await startTestServer();
  admin = await buildAdministrator(server);
  domain = admin.domain.domainName;
});

const head = 'First name,Last name,Email,Role,Phone,Designation,Country';
const name = () => `i${randomBytes(5).toString('hex')}`;
const file = (lines: string[], end = '\r\n') => [head, ...lines].join(end);

/** Sends a file; `dry_run` unless told otherwise. */
async function send(
  content: string | Buffer,
  { as = admin, ...fields }: { as?: Administrator } & Record<string, unknown> = {},
) {
  const form = new FormData();
  for (const [field, value] of Object.entries({ dry_run: 'true', ...fields })) form.append(field, String(value));
  form.append('file', new Blob([new Uint8Array(Buffer.from(content))]), 'people.csv');
  return await server.call('POST', '/user/import', { token: as.token, body: form });
}

async function check(content: string | Buffer, fields: { as?: Administrator } & Record<string, unknown> = {}) {
  const { body } = await send(content, fields);
  return body.data as ImportDto;
}

const problemsOf = async (content: string | Buffer, fields: { as?: Administrator } & Record<string, unknown> = {}) =>
  (await check(content, fields)).problems.map(({ line, column, message }) => `${line} ${column}: ${message}`);
const peopleNow = () => User.count({ where: { companyId: String(admin.company.id) } });

describe('an import of people', () => {
  it('is tried first, then adds all with passwords that work once and have to be changed', async () => {
    const [ana, ken] = [`${name()}@${domain}`, `${name()}@${domain}`];
    const role = await buildRole(admin, [['inbox', 'view']]);
    const content = file([
      `Ana,de Souza,${ana.toUpperCase()},${role.roleName},9876543210,Weaver,Brasil`,
      `"Ken",,${ken},,,,`,
      '',
      ' , ,, ,,,',
    ]);
    const before = await peopleNow();
    expect(await check(content)).toEqual({
      people: 2,
      problemCount: 0,
      problems: [],
      guessed: [],
      suspended: 0,
      left_out: [],
      added: null,
    });
    expect(await peopleNow()).toBe(before);

    const answer = await send(content, { dry_run: 'false' });
    expect(answer.body.message).toBe('Users imported successfully');
    const { added } = answer.body.data as ImportDto;
    expect(added?.map(({ password: _password, ...person }) => person)).toEqual([
      { name: 'Ana de Souza', email: ana, active_status: true },
      { name: 'Ken', email: ken, active_status: true },
    ]);
    expect(await User.findOne({ where: { email: ana } })).toMatchObject({
      roleId: role.id,
      domainId: admin.domain.id,
      phoneNumber: '9876543210',
      designation: 'Weaver',
      country: 'Brasil',
      passwordChangeRequired: true,
    });
    expect(await User.findOne({ where: { email: ken } })).toMatchObject({
      roleId: admin.roles.get(builtInRole.user)?.id,
      phoneNumber: null,
    });
    const [first] = added ?? [];
    const { token } = await server.signIn(ana, first?.password ?? '');
    expect((await server.call('GET', '/user/get/all', { token })).body['code']).toBe('password_change_required');
    const next = encodePassword('a quiet loom at noon');
    const changed = await server.call('POST', '/user/change_password', {
      token,
      body: { old_password: encodePassword(first?.password ?? ''), new_password: next, confirm_password: next },
    });
    expect(changed.status).toBe(200);
    const user = await User.findOne({ where: { email: ana } });
    expect(user?.passwordHash).toContain('$m=19456,');
    const [event] = await AuditEvent.findAll({ where: { action: 'user:created', entityId: String(user?.id) } });
    expect(event).toMatchObject({ actorId: admin.user.id, details: { role: role.roleName, imported: true } });
  });

  it('says every problem by its line, and adds no person while there is one', async () => {
    const taken = await buildMailbox(server.app, { tenant: admin, user: { deletedAt: new Date() } });
    const [twice, half] = [`${name()}@${domain}`, `${name()}@${domain}`];
    const content = file([
      `Ana,,${twice},,,,`,
      `,Lee,${name()}@${domain},,,,`,
      `R2D2,,${name()}@elsewhere.test,,123,,`,
      `Ken,,${twice},Emperor,,,`,
      `Ken,,not an address,,,,`,
      `Eve,,${taken.user.email},Super Admin,,,`,
      `Ida,,..@${domain},,,,`,
      `Mia,,${name()}@${domain},,,,,more`,
      `,,${half},,,,`,
      `Noa,,${half},,,,`,
    ]);
    const before = await peopleNow();
    expect(await problemsOf(content)).toEqual([
      '3 First name: First name is required',
      '4 First name: First name should only contain letters, spaces, hyphens, apostrophes and full stops',
      '4 Phone: Phone number must be exactly 10 digits',
      '4 Email: The company does not have the domain elsewhere.test',
      '5 Role: The company has no such role',
      `5 Email: The same address is in line 2`,
      '6 Email: Invalid email format',
      '7 Role: You cannot give this role, or it is switched off',
      '7 Email: This address is taken, perhaps by a deleted user',
      '8 Email: Username must begin and end with a letter or digit',
      '9 : This row has more values than there are columns',
      '10 First name: First name is required',
      '11 Email: The same address is in line 10',
    ]);
    const answer = await send(content, { dry_run: 'false' });
    expect([answer.status, answer.body.errors]).toEqual([
      422,
      { file: 'The file has 13 problems. No user was added: check it first.' },
    ]);
    expect(await peopleNow()).toBe(before);
  });

  it('finds addresses that are taken or belong to no domain of the company', async () => {
    const deleted = await buildMailbox(server.app, { tenant: admin, user: { deletedAt: new Date() } });
    const foreign = await buildMailbox(server.app);
    expect(await problemsOf(file([`Eve,,${deleted.user.email},,,,`, `Eve,,${foreign.user.email},,,,`]))).toEqual([
      '2 Email: This address is taken, perhaps by a deleted user',
      `3 Email: The company does not have the domain ${foreign.domain.domainName}`,
    ]);
  });

  it('finds addresses that an alias has, and keeps those that it adds from becoming one', async () => {
    const other = await buildMailbox(server.app, { tenant: admin });
    const [alias, email] = [`${name()}@${domain}`, `${name()}@${domain}`];
    const takeAlias = (address: string) => admin.call('POST', `/user/aliases/${other.user.id}`, { address });
    expect((await takeAlias(alias)).status).toBe(200);
    expect(await problemsOf(file([`Eve,,${alias},,,,`]))).toEqual([
      '2 Email: This address is taken, perhaps by a deleted user',
    ]);
    expect((await send(file([`Eve,,${email},,,,`]), { dry_run: 'false' })).status).toBe(200);
    expect((await takeAlias(email)).body['code']).toBe('address_taken');
  });

  it.each([
    ['a byte order mark', (text: string) => Buffer.from(`\uFEFF${text}`)],
    ['semicolons', (text: string) => Buffer.from(text.replaceAll(',', ';'))],
    ['tabs and bare line feeds', (text: string) => Buffer.from(text.replaceAll(',', '\t').replaceAll('\r\n', '\n'))],
    ['Latin-1', (text: string) => Buffer.from(text, 'latin1')],
    ['UTF-16', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
  ])('reads a file with %s', async (_what, encode) => {
    const email = `${name()}@${domain}`;
    const answer = await send(encode(file([`José,Ñandú,${email},,,,`])), { dry_run: 'false' });
    expect((answer.body.data as ImportDto).added).toMatchObject([{ name: 'José Ñandú', email }]);
  });

  it('says what it read from a file whose code page it can only guess', async () => {
    const people = (names: string[], designation = '') =>
      file(names.map((first) => `${first},,${name()}@${domain},,,${designation},`));
    // Dvořák in the code page of Prague
    const czech = Buffer.from(people(['Ana', 'Dvo\xf8\xe1k', 'Zo\xeb', 'Zo\xeb', '\xc1d\xe1m', '\xc9va']), 'latin1');
    expect(await check(czech)).toMatchObject({ people: 6, problemCount: 0, guessed: ['Dvoøák', 'Zoë', 'Ádám'] });
    expect((await check(Buffer.from(people(['Ana'], 'Caf\xe9'), 'latin1'))).guessed).toEqual(['Café']);
    for (const certain of [
      people(['Dvořák']),
      people(['Ana']),
      Buffer.from(`\uFEFF${people(['Dvořák'])}`, 'utf16le'),
    ]) {
      expect((await check(certain)).guessed).toEqual([]);
    }
  });

  it.each([
    [
      'Google Workspace',
      'First Name [Required],Last Name [Required],Email Address [Required],Password [Required],Password Hash Function [UPLOAD ONLY],Org Unit Path [Required],New Primary Email [UPLOAD ONLY],Recovery Email,Home Secondary Email,Work Secondary Email,Recovery Phone [MUST BE IN THE E.164 FORMAT],Work Phone,Home Phone,Mobile Phone,Work Address,Home Address,Employee ID,Employee Type,Employee Title,Manager Email,Department,Cost Center,Building ID,Floor Name,Floor Section,Change Password at Next Sign-In,New Status [UPLOAD ONLY],Status [READ ONLY],Last Sign In [READ ONLY],2sv Enrolled [READ ONLY],2sv Enforced [READ ONLY],Email Usage [READ ONLY],Drive Usage [READ ONLY],Advanced Protection Program enrollment',
      (email: string) =>
        `Siobhán,O'Brien-Łuczak,${email},****,,/,,home@remote.test,,,+353871234567,,,+353 87 123 4567,"1 Main St, Cork",,7,,Buyer,boss@remote.test,Sales,,,,,False,,Active,2026/11/20 10:00:00,False,False,0.1GB,2GB,False`,
      { country: null },
    ],
    [
      'Microsoft 365',
      '"Block credential","City","Country","Department","DirSyncEnabled","Display name","Fax","First name","Last name","Last dirsync time","Last password change time stamp","License assignment details","Licenses","Mobile Phone","OathTokenMetadata","Object Id","Office","Password never expires","Phone number","Postal code","Preferred data location","Preferred language","Proxy addresses","Release track","Soft deletion time stamp","State","Street address","Strong password required","Title","Usage location","User principal name","When created"',
      (email: string) =>
        `"False","Cork","Ireland","Sales","","Siobhán O'Brien-Łuczak","","Siobhán","O'Brien-Łuczak","","2026-01-01 10:00:00Z","","Microsoft 365 Business Basic","+353 87 123 4567","","6f2c","","False","+353 21 123","T12","","en-IE","SMTP:${email}+smtp:alias@mill.test","","","","1 Main St","","Buyer","IE","${email}","2024-01-01 09:00:00Z"`,
      { country: 'Ireland' },
    ],
  ])('reads the people of a file that %s exports, and says what it leaves out', async (_from, titles, row, kept) => {
    const email = `${name()}@${domain}`;
    const content = `\uFEFF${titles}\r\n${row(email)}\r\n`;
    const found = await check(content);
    expect(found).toMatchObject({ people: 1, problems: [] });
    expect(found.left_out).toContain('Department');
    expect(found.left_out).not.toContain('Email');
    await send(content, { dry_run: 'false' });
    const person = { fname: 'Siobhán', lname: "O'Brien-Łuczak", designation: 'Buyer', phoneNumber: null, ...kept };
    expect(await User.findOne({ where: { email } })).toMatchObject(person);
  });

  it.each([
    ['Status [READ ONLY],New Status [UPLOAD ONLY]', ['Active,', 'Suspended,', 'Archived,', ',Suspended', ',']],
    ['"Block credential","Soft deletion time stamp"', ['False,', 'True,', 'TRUE,', 'False,2026-11-02 09:00:00Z', ',']],
  ])('adds those who are suspended by %s as inactive, and says how many they are', async (titles, states) => {
    const emails = states.map(() => `${name()}@${domain}`);
    const rows = emails.map((email, index) => `Ana,${email},${states[index]}`);
    const content = [`First name,Email,${titles}`, ...rows].join('\r\n');
    const found = await check(content);
    expect(found).toMatchObject({ people: 5, problemCount: 0, suspended: 3, left_out: [] });
    const { added } = (await send(content, { dry_run: 'false' })).body.data as ImportDto;
    const active = [true, false, false, false, true];
    expect(added?.map(({ active_status }) => active_status)).toEqual(active);
    const people = await Promise.all(emails.map((email) => User.findOne({ where: { email } })));
    expect(people.map((user) => user?.activeStatus)).toEqual(active);
    const [, suspended] = added ?? [];
    expect((await server.signIn(emails[1] ?? '', suspended?.password ?? '')).token).toBe('');
    const where = { action: 'user:created', entityId: String(people[1]?.id) };
    expect((await AuditEvent.findOne({ where }))?.details).toMatchObject({ imported: true, active_status: false });
  });

  it('takes the display name of those who have no other, as shared mailboxes of Microsoft 365', async () => {
    const [info, ana, lee] = [`${name()}@${domain}`, `${name()}@${domain}`, `${name()}@${domain}`];
    const content = [
      'Display name,First name,Last name,User principal name',
      `Vertrieb Süd,,,${info}`,
      `Ana Maria de Souza,Ana,de Souza,${ana}`,
      `Lee,,Lee,${lee}`,
    ].join('\r\n');
    expect(await problemsOf(content)).toEqual(['4 First name: First name is required']);
    const { added } = (await send(content.split('\r\n').slice(0, 3).join('\r\n'), { dry_run: 'false' })).body
      .data as ImportDto;
    expect(added?.map((person) => person.name)).toEqual(['Vertrieb Süd', 'Ana de Souza']);
  });

  it('reads a file that tells Excel in a line of its own what divides the values', async () => {
    const content = `sep=;\r\nEmail;First name\r\n${name()}@${domain};Ana\r\n${name()}@${domain};\r\n`;
    expect(await problemsOf(content)).toEqual(['4 First name: First name is required']);
  });

  it('finds the columns by their titles, in any order', async () => {
    const content = `EMAIL, first_name\n${name()}@${domain},Ana\n`;
    expect(await check(content)).toMatchObject({ people: 1, problemCount: 0 });
    expect(await problemsOf(`Email,First name,First name,Shoe size\na@${domain},Ana,Ana,38\n`)).toEqual([
      '1 First name: This column is there twice',
      '1 Shoe size: This column is not known. Known are First name, Last name, Email, Role, Phone, Designation, Country',
    ]);
    expect(await problemsOf('Last name\nLee\n')).toEqual([
      '1 First name: This column is missing',
      '1 Email: This column is missing',
    ]);
  });

  it('takes a formula for no name', async () => {
    expect(await problemsOf(file([`"=HYPERLINK(""http://evil.test"")",,${name()}@${domain},,,,`]))).toEqual([
      '2 First name: First name should only contain letters, spaces, hyphens, apostrophes and full stops',
    ]);
  });

  it('says from which line on a file cannot be read', async () => {
    const content = file([`Ana,,${name()}@${domain},,,,`, `"Ken,,${name()}@${domain},,,,`, 'Eve,,e,,,,']);
    const [problem] = await problemsOf(content);
    expect(problem).toMatch(/^\d : A quotation mark is missing/);
    expect(await problemsOf(file(['x'.repeat(100_000)]))).toEqual([
      expect.stringMatching(/^2 : The file cannot be read from here on/),
    ]);
  });

  it.each([
    ['no file', '', 'The file is empty.'],
    ['a picture', Buffer.from([0x89, 0x50, 0, 0, 0x0d]), '"people.csv" is no CSV file.'],
    [
      '100,000 lines',
      file(Array.from({ length: 100_000 }, (_, index) => `A,,p${index}@x.test,,,,`)),
      'The file has more than 10,000 people. Divide it into several files.',
    ],
  ])('refuses %s', async (_what, content, message) => {
    const answer = await send(content);
    expect([answer.status, answer.body.errors]).toEqual([422, { file: message }]);
  });

  it.each([
    ['a head of 5 MB of commas', ','.repeat(maxImportBytes - 10), 'Line 1 has more than 100 values.'],
    ['2 million empty rows', `${head}\n${',\n'.repeat(2_000_000)}`, 'The file has too many empty rows.'],
  ])('refuses %s without holding other requests up', async (_what, content, message) => {
    const held = await longestTurn(async () => {
      const answer = await send(content);
      expect([answer.status, answer.body.errors]).toEqual([422, { file: message }]);
    });
    // Without pauses the parser holds the event loop several times as long
    expect(held).toBeLessThan(1_000);
  });

  it('keeps a letter whole that is cut between two pieces of the file', async () => {
    const designation = `𠮷${'x'.repeat(50)}`;
    const rows = Array.from(
      { length: 400 },
      (_, n) => `${'A'.repeat(1 + (n % 7))},,${name()}@${domain},,,${designation},`,
    );
    expect(await problemsOf(file(rows))).toEqual([]);
    const answer = await send(file(rows), { dry_run: 'false' });
    const [first] = (answer.body.data as ImportDto).added ?? [];
    const people = await User.findAll({ where: { companyId: String(admin.company.id), designation } });
    expect([people.length, first?.name]).toEqual([400, 'A']);
  });

  it('refuses a file that is too large, none, and one of another name', async () => {
    expect((await send(Buffer.alloc(maxImportBytes + 1, 'a'))).status).toBe(413);
    const form = new FormData();
    form.append('dry_run', 'true');
    expect((await server.call('POST', '/user/import', { token: admin.token, body: form })).status).toBe(422);
    form.append('avatar', new Blob(['a']), 'people.csv');
    expect((await server.call('POST', '/user/import', { token: admin.token, body: form })).status).toBe(422);
  });

  it('is for the own company; people of the provider choose one', async () => {
    const other = await buildAdministrator(server);
    const mine = () => file([`Ana,,${name()}@${domain},,,,`]);
    const companyId = String(admin.company.id);
    expect((await send(mine(), { as: other, companyId })).body.errors).toEqual({
      companyId: 'Choose a company that is not deleted',
    });
    const host = await buildProvider(server);
    expect(await check(mine(), { as: host, companyId })).toMatchObject({ problemCount: 0 });
    await other.company.update({ deletedAt: new Date() });
    expect((await send(mine(), { as: host, companyId: String(other.company.id) })).status).toBe(422);
  });

  it('does not go beyond the seats of the plan', async () => {
    const small = await buildAdministrator(server);
    await small.company.update({ maxUsers: 2 });
    const rows = (count: number) =>
      file(Array.from({ length: count }, () => `Ana,,${name()}@${small.domain.domainName},,,,`));
    expect(await problemsOf(rows(2), { as: small })).toEqual([
      '1 : The company has 1 of the 2 users of its plan. The provider can raise the limit. The file has 2 users.',
    ]);
    expect((await send(rows(2), { as: small, dry_run: 'false' })).status).toBe(422);
    expect((await send(rows(1), { as: small, dry_run: 'false' })).status).toBe(200);
  });

  it('of the same file twice at once adds each person once', async () => {
    const emails = Array.from({ length: 300 }, () => `${name()}@${domain}`);
    const content = file(emails.map((email) => `Ana,,${email},,,,`));
    const answers = await Promise.all([1, 2].map(() => send(content, { dry_run: 'false' })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, expect.toBeOneOf([409, 422])]);
    expect(await User.count({ where: { email: emails } })).toBe(300);
  });

  it('tells how far it is, to its caller alone', async () => {
    const content = file(Array.from({ length: 600 }, () => `Ana,,${name()}@${domain},,,,`));
    const importId = randomUUID();
    const progress = (as: Administrator) => as.call('GET', `/user/import_progress/${importId}`);
    expect((await progress(admin)).status).toBe(404);
    expect((await send(content, { dry_run: 'false', import_id: importId })).status).toBe(200);
    expect((await progress(admin)).body.data).toEqual({ done: 600, people: 600 });
    expect((await progress(await buildAdministrator(server))).status).toBe(404);
    expect((await admin.call('GET', '/user/import_progress/1')).status).toBe(422);
  });
});
