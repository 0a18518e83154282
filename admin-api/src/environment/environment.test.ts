import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { InferAnswer } from '@selvage/core/contracts/endpoint';
import type { listEnvironment, RestartDto, VariableDto } from '@selvage/core/contracts/environment';
import { encodePassword } from '@selvage/core/contracts/fields';
import { builtInRole, modelNames } from '@selvage/core/contracts/permissions';
import { changeRows, readRows } from '@selvage/core/database/run-sql';
import {
  type HostProcess,
  type ProgramName,
  removeProcesses,
  writeProcess,
} from '@selvage/core/environment/host-state';
import { withStoredEnvironment } from '@selvage/core/environment/with-stored-environment';
import { AuditEvent } from '@selvage/core/models/audit-event';
import { Session } from '@selvage/core/models/session';
import { UserPermission } from '@selvage/core/models/user-permission';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { type Administrator, buildAdministrator, buildProvider, signInAs } from '../test-people.ts';
import { type Answer, startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;
let provider: Administrator;

beforeAll(async () => {
  server = await startTestServer();
});

beforeEach(async () => {
  await changeRows(server, 'DELETE FROM environment_variables', []);
  await changeRows(server, 'DELETE FROM host_processes', []);
  await changeRows(
    server,
    'UPDATE host_state SET revision = 0, asked_at = NULL, finished_at = NULL, problem = NULL',
    [],
  );
  provider = await buildProvider(server);
});

type List = InferAnswer<typeof listEnvironment>;

const list = async () => (await provider.call('GET', '/env/get/all')).body.data as List;
const create = (key: unknown, value: unknown) => provider.call('POST', '/env/create', { key, value });
const update = (key: unknown, value: unknown) => provider.call('PUT', '/env/update', { key, value });
const restart = async () => (await provider.call('POST', '/env/restart/pm2')).body.data as RestartDto;
const progress = async () => (await provider.call('GET', '/env/restart')).body.data as RestartDto;
const refusal = ({ status, body }: Answer) => [status, body['code'], body.errors ?? {}];
const variable = async (key: string) => (await list()).variables.find((one) => one.key === key) as VariableDto;

/** Stands for a process of the host that was started now. */
async function startProcess(program: ProgramName, hasPrimary = false): Promise<HostProcess> {
  const [state] = await readRows<{ revision: number; restart: number }>(
    server,
    'SELECT revision, restart FROM host_state',
    [],
  );
  const self: HostProcess = {
    id: randomUUID(),
    program,
    machine: 'elsewhere',
    pid: 1,
    revision: state?.revision ?? 0,
    restart: state?.restart ?? 0,
    hasPrimary,
  };
  await writeProcess(server, self);
  return self;
}

describe('the variables of the host', () => {
  it('are added, changed and deleted, and leave events without their values', async () => {
    const made = (await create('MAX_RECIPIENTS', ' 50 ')).body.data as VariableDto;
    expect(made).toMatchObject({ key: 'MAX_RECIPIENTS', value: ' 50 ', is_secret: false, has_effect: true });
    expect(made).toMatchObject({ description: expect.stringContaining('recipients'), problem: null });
    expect(made).toMatchObject({ source: 'default', value_in_force: '100', needs_restart: true });
    expect((await update('MAX_RECIPIENTS', '60')).body.message).toBe('Variable updated successfully');
    expect(await variable('MAX_RECIPIENTS')).toMatchObject({ value: '60' });
    expect((await list()).needs_restart).toBe(true);
    expect((await provider.call('DELETE', '/env/delete/MAX_RECIPIENTS')).status).toBe(200);
    expect((await list()).variables).toEqual([]);
    const events = await AuditEvent.findAll({ where: { entityId: made._id, entity: 'environment-variable' } });
    const details = { name: 'MAX_RECIPIENTS' };
    expect(events.map((event) => [event.action, event.companyId, event.details])).toEqual([
      ['environment:created', provider.company.id, details],
      ['environment:updated', provider.company.id, { ...details, fields: ['value'], version: 2 }],
      ['environment:removed', provider.company.id, details],
    ]);
  });

  it('are changed only by a person who has lately proved that it is them', async () => {
    await create('UNDO_MS', '4000');
    const where = { userId: String(provider.user.id) };
    await Session.update({ createdAt: new Date(Date.now() - 16 * 60_000) }, { where, silent: true });
    const changes = [
      () => create('OUTBOUND_RELAY', 'smtp://evil.test:25'),
      () => update('UNDO_MS', '5000'),
      () => provider.call('DELETE', '/env/delete/UNDO_MS'),
    ];
    for (const change of changes) expect(refusal(await change())).toEqual([403, 'confirm_first', {}]);
    expect((await list()).variables.map(({ key, value }) => [key, value])).toEqual([['UNDO_MS', '4000']]);
    const proof = { password: encodePassword(provider.password) };
    expect((await provider.call('POST', '/user/confirm', proof)).status).toBe(200);
    for (const change of changes) expect((await change()).status).toBe(200);
  });

  it('are sealed at rest', async () => {
    await create('OUTBOUND_RELAY', 'smtp://me:hush@relay.test:587');
    const rows = await readRows<{ sealed_value: string }>(server, 'SELECT sealed_value FROM environment_variables', []);
    expect(rows[0]?.sealed_value).toMatch(/^v1\./);
    expect(JSON.stringify(rows)).not.toContain('hush');
  });

  it('say what is wrong with a key or a value', async () => {
    const keyText = 'Key must contain only uppercase letters, numbers, and underscores.';
    for (const key of ['max_recipients', 'MAX RECIPIENTS', 'A-B', 'É', 'A\0B']) {
      expect(refusal(await create(key, '1'))).toEqual([422, 'invalid', { key: keyText }]);
    }
    for (const key of ['', '  ', undefined, 7, null]) {
      expect(refusal(await create(key, '1'))).toEqual([422, 'invalid', { key: 'Key is required.' }]);
    }
    for (const value of ['', ' \t ', undefined, 7]) {
      expect((await create('UNDO_MS', value)).body.errors).toEqual({ value: 'Value is required.' });
    }
    const long = 'Maximum 8000 characters allowed';
    expect(refusal(await create('UNDO_MS', '1'.repeat(900_000)))).toEqual([422, 'invalid', { value: long }]);
    expect((await create('UNDO_MS', '1'.repeat(1_100_000))).status).toBe(413);
    expect((await create('A'.repeat(101), '1')).body.errors).toEqual({ key: 'Maximum 100 characters allowed' });
    expect((await create('UNDO_MS', '1\n2')).body.errors).toEqual({
      value: 'Value must be one line without control characters.',
    });
    expect((await list()).variables).toEqual([]);
  });

  it('take no value that the host could not start with', async () => {
    const problem = async (key: string, value: string) => (await create(key, value)).body.errors;
    expect(await problem('UNDO_MS', 'soon')).toEqual({ value: 'The value must be a whole number.' });
    expect(await problem('UNDO_MS', '-1')).toEqual({ value: 'The value must be at least 0.' });
    expect(await problem('OUTBOUND_RELAY', 'http://x')).toHaveProperty('value');
    expect(await problem('OUTBOUND_RELAY', 'smtp://a%ZZ:b@relay.test')).toHaveProperty('value');
    expect(await problem('LOG_LEVEL', 'loud')).toHaveProperty('value');
    expect(await problem('HTTP_CONNECTIONS', '1')).toEqual({
      value: 'The value must be at least 100 here: with less, the console could be out of reach.',
    });
    expect(await problem('DNS_SERVERS', '999.1.1.1')).toEqual({
      value: 'The value must be addresses with an optional port, separated by commas.',
    });
    await create('UNDO_MS', '5000');
    expect(refusal(await update('UNDO_MS', 'soon'))).toMatchObject([422, 'invalid', { value: expect.any(String) }]);
    expect(await variable('UNDO_MS')).toMatchObject({ value: '5000' });
  });

  it('keep traces, and mail that was taken for junk, for so long at least', async () => {
    const problem = async (key: string, value: string) => (await create(key, value)).body.errors?.['value'];
    for (const key of ['AUDIT_DAYS', 'LEDGER_DAYS']) {
      expect(await problem(key, '29')).toBe(
        'The value must be at least 30 here, or 0: with less, a person with access to this list could erase the traces of what they did.',
      );
    }
    expect(await problem('JUNK_DAYS', '6')).toBe(
      'The value must be at least 7 here, or 0: with less, mail that was taken for junk is gone before its reader looks for it.',
    );
    for (const [key, value] of [
      ['AUDIT_DAYS', '30'],
      ['LEDGER_DAYS', '0'],
      ['JUNK_DAYS', '7'],
    ]) {
      expect((await create(key, value)).status).toBe(200);
    }
    expect(refusal(await update('AUDIT_DAYS', '1'))).toMatchObject([422, 'invalid', { value: expect.any(String) }]);
  });

  it.each([
    'DATABASE_URL',
    'DATABASE_URL_FILE',
    'OUTBOUND_RELAY_FILE',
    'REDIS_URL',
    'SELVAGE_DATA',
    'SELVAGE_SECRET_KEY',
    'HTTP_PORT',
    'SMTP_PORT',
    'BIND_ADDRESS',
    'HTTP_ADDRESS',
    'BLOB_STORE',
    'SITE_DIRECTORY',
    'SELVAGE_URL',
    'PROCESSES_API',
    'SELVAGE_ADMIN_PASSWORD',
    'STORED_ENVIRONMENT',
    'DATABASE_BUFFER_MB',
    'NODE_OPTIONS',
    'NODE_EXTRA_CA_CERTS',
    'LD_PRELOAD',
    'PATH',
  ])('refuse %s and say why', async (key) => {
    const answer = await create(key, '1');
    expect(refusal(answer)).toMatchObject([422, 'invalid', { key: expect.stringMatching(/\.$/) }]);
    expect((await list()).settings.map((setting) => setting.key)).not.toContain(key);
  });

  it('keep a name that is no setting, which has no effect', async () => {
    expect((await create('SMTP_PASSWORD_OLD', 'hush')).status).toBe(200);
    expect(await variable('SMTP_PASSWORD_OLD')).toMatchObject({
      has_effect: false,
      is_secret: true,
      value: null,
      source: 'none',
      needs_restart: false,
      description: null,
    });
    expect((await list()).needs_restart).toBe(false);
  });

  it('hold each key once, also when it is added ten times at once', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => create('UNDO_MS', '5000')));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)]);
    expect(refusal(await create('UNDO_MS', '1'))).toEqual([
      409,
      'variable_taken',
      { key: 'This key is already in the list.' },
    ]);
  });

  it.each(['UNDO_MS', 'NO_SETTING', 'MY_PASS'])(
    'are not overwritten by a person who has not seen the last change: %s',
    async (key) => {
      const { version } = (await create(key, '5000')).body.data as VariableDto;
      const change = (value: string, from: number) =>
        provider.call('PUT', '/env/update', { key, value, version: from });
      expect((await change('6000', version)).body.data).toMatchObject({ key, version: version + 1 });
      const late = await change('7000', version);
      expect(refusal(late)).toEqual([409, 'changed_meanwhile', {}]);
      const current = { key, version: version + 1, value: key === 'MY_PASS' ? null : '6000' };
      expect(late.body['conflict']).toMatchObject({ by: `${provider.user.fname} ${provider.user.lname}`, current });
      expect(await variable(key)).toMatchObject(current);
      expect((await change('7000', version + 1)).status).toBe(200);
      // A program that sends no version still changes it
      expect((await update(key, '8000')).status).toBe(200);
    },
  );

  it('answer 404 for a key that is not in the list', async () => {
    expect(refusal(await update('UNDO_MS', '1'))).toEqual([404, 'variable_not_found', {}]);
    for (const key of ['UNDO_MS', 'undo_ms', '%00', encodeURIComponent("' OR 1=1"), '%C3%96L', 'x'.repeat(200)]) {
      expect((await provider.call('DELETE', `/env/delete/${key}`)).status).toBe(404);
    }
  });

  it('are for the Super Admins of the provider alone, whatever flags others have', async () => {
    const staff = await buildAdministrator(server, { tenant: provider, roleNumber: builtInRole.admin });
    const all = { canView: true, canCreate: true, canEdit: true, canDelete: true };
    await UserPermission.bulkCreate(
      modelNames.map((model) => ({ companyId: staff.company.id, userId: staff.user.id, model, ...all })),
    );
    const tenant = await buildAdministrator(server, { roleNumber: builtInRole.superAdmin });
    const user = await signInAs(server, await buildMailbox(server.app));
    await create('UNDO_MS', '5000');
    for (const person of [staff, tenant, user]) {
      const answers = [
        await person.call('GET', '/env/get/all'),
        await person.call('POST', '/env/create', { key: 'A', value: '1' }),
        await person.call('POST', '/env/create', {}),
        await person.call('PUT', '/env/update', { key: 'UNDO_MS', value: '1' }),
        await person.call('DELETE', '/env/delete/UNDO_MS'),
        await person.call('POST', '/env/reveal', { key: 'UNDO_MS', password: encodePassword(person.password) }),
        await person.call('POST', '/env/restart/pm2'),
        await person.call('GET', '/env/restart'),
      ];
      expect(answers.map(({ status, body }) => [status, body['code']])).toEqual(answers.map(() => [403, 'forbidden']));
    }
    expect(await variable('UNDO_MS')).toMatchObject({ value: '5000' });
  });
});

describe('secret variables', () => {
  const reveal = (key: string, password: string) =>
    provider.call('POST', '/env/reveal', { key, password: encodePassword(password) });

  it('are shown only to a person who gives their password again', async () => {
    await create('MY_PASS', 'hush hush');
    const relay = 'smtp://me:hush@relay.test:587';
    await create('OUTBOUND_RELAY', relay);
    expect(JSON.stringify(await list())).not.toContain('hush');
    expect(refusal(await reveal('MY_PASS', 'wrong'))).toEqual([422, 'invalid', { password: 'The password is wrong.' }]);
    const answer = await reveal('OUTBOUND_RELAY', provider.password);
    expect(answer.body.data).toEqual({ key: 'OUTBOUND_RELAY', value: relay });
    const { _id } = await variable('OUTBOUND_RELAY');
    const events = await AuditEvent.findAll({ where: { action: 'environment:revealed' } });
    expect(events.map(({ entityId, details }) => [entityId, details])).toEqual([[_id, { name: 'OUTBOUND_RELAY' }]]);
    expect((await reveal('OTHER_KEY', provider.password)).status).toBe(404);
  });

  it('are shown only after a fresh proof as well while two-factor is on', async () => {
    await create('MY_PASS', 'hush hush');
    const where = { userId: String(provider.user.id) };
    await provider.user.update({ twoFactorStatus: true });
    await Session.update({ confirmedAt: null }, { where });
    expect(refusal(await reveal('MY_PASS', provider.password))).toEqual([403, 'confirm_first', {}]);
    await Session.update({ confirmedAt: new Date() }, { where });
    expect((await reveal('MY_PASS', provider.password)).status).toBe(200);
    await provider.user.update({ twoFactorStatus: false });
  });

  it('can be revealed so often and no more', async () => {
    await create('MY_PASS', 'hush');
    const statuses: number[] = [];
    for (let n = 0; n < 31; n++) statuses.push((await reveal('MY_PASS', provider.password)).status);
    expect(statuses).toEqual([...Array(30).fill(200), 429]);
  }, 60_000);

  it('stay hidden while tries can’t be counted', async () => {
    await create('MY_PASS', 'hush');
    const { redis } = server.app;
    const ended = once(redis, 'end');
    redis.disconnect();
    await ended;
    try {
      const answer = await reveal('MY_PASS', provider.password);
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '5']);
      expect(JSON.stringify(answer.body)).not.toContain('hush');
    } finally {
      await redis.connect();
    }
    expect((await reveal('MY_PASS', provider.password)).status).toBe(200);
  });
});

describe('a process that starts', () => {
  it('has the values of the list in force, and none that it can’t use', async () => {
    await create('MAX_RECIPIENTS', ' 50 ');
    await create('UNDO_MS', '5000');
    await create('NO_SETTING', 'x');
    // What an upgrade can make of them: another schema, another key, a name that is refused
    const { config, db, secrets } = server.app;
    const { sealVariable } = await import('@selvage/core/environment/stored-variables');
    const write = async (name: string, sealed: string) =>
      await changeRows(
        server,
        `INSERT INTO environment_variables (name, sealed_value, revision, created_at, updated_at)
         VALUES (?, ?, 0, NOW(3), NOW(3)) ON DUPLICATE KEY UPDATE sealed_value = VALUES(sealed_value)`,
        [name, sealed],
      );
    await write('UNDO_MS', sealVariable(secrets, 'UNDO_MS', 'soon'));
    await write('SESSION_LIMIT', sealVariable(secrets, 'UNDO_MS', '7'));
    await write('HTTP_PORT', sealVariable(secrets, 'HTTP_PORT', '1'));
    const started = await withStoredEnvironment(db, config);
    expect(started).toMatchObject({ maxRecipients: 50, undoMs: 3500, sessionLimit: 5, httpPort: 8080 });
    expect(started.source).toMatchObject({ stored: { MAX_RECIPIENTS: '50' } });
    expect(Object.keys(started.source.unusable).toSorted()).toEqual(['HTTP_PORT', 'SESSION_LIMIT', 'UNDO_MS']);
    expect(await variable('UNDO_MS')).toMatchObject({ problem: 'The value must be a whole number.' });
    expect(await variable('SESSION_LIMIT')).toMatchObject({ value: null, problem: expect.stringContaining('key') });
    const without = await withStoredEnvironment(db, { ...config, usesStoredEnvironment: false });
    expect(without).toMatchObject({ maxRecipients: 100, source: { stored: {}, unusable: {} } });
  });
});

describe('a value that this process could not use at its start', () => {
  it('says why in the list, until it is changed', async () => {
    await create('UNDO_MS', '5000');
    const { config } = server.app;
    const { source } = config;
    config.source = { ...source, revision: 1, unusable: { UNDO_MS: 'The host did not start with it.' } };
    try {
      expect(await variable('UNDO_MS')).toMatchObject({
        problem: 'The host did not start with it.',
        source: 'default',
        value_in_force: '3500',
      });
      await update('UNDO_MS', '6000');
      expect(await variable('UNDO_MS')).toMatchObject({ problem: null, needs_restart: true });
    } finally {
      config.source = source;
    }
  });
});

describe('a restart of the host', () => {
  it('tells how far it is, and whether all processes have the list', async () => {
    const old = [await startProcess('workers'), await startProcess('api'), await startProcess('api')];
    await create('UNDO_MS', '5000');
    expect(await variable('UNDO_MS')).toMatchObject({ needs_restart: true });
    const asked = await restart();
    expect(asked).toMatchObject({ state: 'running', total: 3, replaced: 0, program: 'workers', single: ['workers'] });
    const steps: unknown[] = [];
    for (const process of old) {
      await startProcess(process.program);
      await removeProcesses(server, [process.id]);
      const { state, replaced, program } = await progress();
      steps.push([state, replaced, program]);
    }
    expect(steps).toEqual([
      ['running', 1, 'api'],
      ['running', 2, 'api'],
      ['done', 3, null],
    ]);
    const events = await AuditEvent.findAll({ where: { action: 'host:restart-asked' } });
    expect(events.map(({ details }) => details)).toEqual([{ number: asked.number, processes: 3 }]);
  });

  it('names the programs that are away meanwhile: those of one process without a primary', async () => {
    for (const hasPrimary of [true, false]) await startProcess('api', hasPrimary);
    await startProcess('inbound', true);
    await startProcess('submission');
    expect((await restart()).single).toEqual(['submission']);
  });

  it('runs once, however often it is asked for', async () => {
    await startProcess('api');
    const before = (await progress()).number;
    const answers = await Promise.all(Array.from({ length: 10 }, restart));
    expect(answers.map(({ state, number }) => [state, number])).toEqual(answers.map(() => ['running', before + 1]));
    expect(await AuditEvent.count({ where: { action: 'host:restart-asked', actorId: provider.user.id } })).toBe(1);
  });

  it('ends when it takes too long, and can be asked for again', async () => {
    await startProcess('api');
    const { number } = await restart();
    await changeRows(server, 'UPDATE host_state SET asked_at = asked_at - INTERVAL 20 MINUTE', []);
    expect(await progress()).toMatchObject({ state: 'failed', problem: 'It took too long.' });
    expect(await restart()).toMatchObject({ state: 'running', number: number + 1 });
  });

  it('is refused while no process says that it runs', async () => {
    const answer = await provider.call('POST', '/env/restart/pm2');
    expect([answer.status, answer.body['code']]).toEqual([503, 'nothing_to_restart']);
  });
});
