import type { Endpoint } from '@selvage/core/contracts/endpoint';
import { encodePassword } from '@selvage/core/contracts/encode-password';
import { listEmails } from '@selvage/core/contracts/mail';
import { endpoints } from '@selvage/core/contracts/registry';
import { builtInRole, gatesNothing, modelNames } from '@selvage/core/contracts/permissions';
import { Client } from '@selvage/core/models/client';
import { Delivery } from '@selvage/core/models/delivery';
import { Draft } from '@selvage/core/models/draft';
import { Folder } from '@selvage/core/models/folder';
import { Label } from '@selvage/core/models/label';
import { Passkey } from '@selvage/core/models/passkey';
import { UserPermission } from '@selvage/core/models/user-permission';
import { systemContext } from '@selvage/core/context/context';
import { storeInbound } from '@selvage/core/mailstore/store-message';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildAlias, buildGroup, buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { copiedOwner, makeBackup, makeSetting } from './test-records.ts';
import { startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;
let token: string;
let refusedToken: string;
let newcomerToken: string;
let foreign: Record<string, string>;

const calls = Object.entries(endpoints);
const guarded = calls.filter(([, endpoint]) => endpoint.needs !== 'public');
/** The provider's calls: a person of a tenant is refused, whatever permissions they have. */
const isOfHost = (name: string, { path, needs }: Endpoint) =>
  path.startsWith('/module/') || name === 'vouchForDomain' || name === 'getLedgerProof' || needs === 'host-super-admin';
const ofHost = guarded.filter(([name, endpoint]) => isOfHost(name, endpoint));
const gated = calls.filter(([, endpoint]) => typeof endpoint.needs === 'object');

beforeAll(async () => {
  server = await startTestServer();
  // All flags, but not the provider's scope
  const mine = await buildMailbox(server.app, { roleNumber: builtInRole.superAdmin });
  const refused = await buildMailbox(server.app);
  const other = await buildMailbox(server.app);
  await UserPermission.bulkCreate(
    modelNames.map((model) => ({ companyId: refused.company.id, userId: refused.user.id, model })),
  );
  token = (await server.signIn(mine.user.email, mine.password)).token;
  refusedToken = (await server.signIn(refused.user.email, refused.password)).token;
  const newcomer = await buildMailbox(server.app, { user: { passwordChangeRequired: true } });
  newcomerToken = (await server.signIn(newcomer.user.email, newcomer.password)).token;
  foreign = await recordsOf(other);
});

/** A message and a draft of a person in another company. */
async function recordsOf(owner: Mailbox): Promise<Record<string, string>> {
  const recipient = { userId: String(owner.user.id), companyId: String(owner.company.id), address: owner.user.email };
  const stored = await storeInbound(systemContext(server.app), {
    raw: Buffer.from(`From: a@remote.test\r\nTo: ${owner.user.email}\r\nSubject: private\r\n\r\ntext\r\n`),
    envelopeFrom: 'a@remote.test',
    recipients: [recipient],
    client: { address: '192.0.2.1', helo: 'remote.test', tls: false },
    authentication: null,
    traceHeaders: '',
    mailId: `test-${owner.user.id}`,
  });
  const draft = await Draft.create({
    companyId: owner.company.id,
    userId: owner.user.id,
    toList: [],
    ccList: [],
    bccList: [],
  });
  const entry = stored.entryIds[0] ?? '';
  const copies = await makeBackup(owner, { id: entry, messageId: stored.messageId });
  return { entry, ...copies, draft: String(draft.id), ...(await ownThingsOf(owner)) };
}

/** Records that belong to one person alone. */
async function ownThingsOf(mailbox: Mailbox): Promise<Record<string, string>> {
  const { company, user } = mailbox;
  const owner = { companyId: String(company.id), userId: String(user.id) };
  const credential = { credentialId: `c${user.id}`, publicKey: 'k', transports: [] };
  const passkey = await Passkey.create({ ...owner, passkeyName: 'key', ...credential });
  const label = await Label.create({ ...owner, name: 'Mine', nameKey: 'mine', colour: 'red' });
  const folder = await Folder.create({ ...owner, role: null, name: 'Mine', nameKey: 'mine', uidValidity: 1 });
  const deleted = await buildMailbox(server.app, { tenant: mailbox, user: { deletedAt: new Date() } });
  const client = await Client.create({
    companyId: owner.companyId,
    fname: 'C',
    personalEmail: 'c@x.test',
    businessEmail: 'c@x.test',
  });
  return {
    deletedUser: String(deleted.user.id),
    passkey: String(passkey.id),
    appPassword: await makeSetting(mailbox, 'appPassword'),
    signature: await makeSetting(mailbox, 'signature'),
    imageSender: await makeSetting(mailbox, 'imageSender'),
    blocked: await makeSetting(mailbox, 'blocked'),
    filter: await makeSetting(mailbox, 'filter'),
    label: String(label.id),
    folder: String(folder.id),
    user: String(user.id),
    company: String(company.id),
    role: String(user.roleId),
    client: String(client.id),
    domain: String(mailbox.domain.id),
    delivery: await deliveryOf(mailbox),
    alias: String((await buildAlias(mailbox)).id),
    group: String((await buildGroup(mailbox)).id),
  };
}

/** What became of a message that a person has sent. */
async function deliveryOf({ company, user }: Mailbox): Promise<string> {
  const row = {
    direction: 'out',
    recipient: 'a@remote.test',
    recipientDomain: 'remote.test',
    state: 'queued',
  } as const;
  const owner = { companyId: String(company.id), envelopeFrom: user.email };
  return String((await Delivery.create({ ...row, ...owner, mailId: `row-${user.id}` })).id);
}

/** The record that each call names. The test of a call that is not here fails. */
const recordOf: Record<string, string> = {
  addImageSender: 'entry',
  getEmail: 'entry',
  changeStatus: 'entry',
  replyOrForward: 'entry',
  undoSend: 'entry',
  reschedule: 'entry',
  sendScheduledNow: 'entry',
  snooze: 'entry',
  remindMe: 'entry',
  answerInvitation: 'entry',
  unsubscribe: 'entry',
  giveBackup: 'user',
  getBackupProgress: 'backup',
  getBackupEmail: 'copied',
  removeBackup: 'backup',
  getDraft: 'draft',
  saveDraft: 'draft',
  removeDrafts: 'draft',
  removeImageSender: 'imageSender',
  unblockSender: 'blocked',
  updateFilter: 'filter',
  applyFilter: 'filter',
  orderFilters: 'filter',
  removeFilter: 'filter',
  updateLabel: 'label',
  removeLabel: 'label',
  changeLabels: 'entry',
  renameOwnFolder: 'folder',
  removeOwnFolder: 'folder',
  moveMessages: 'entry',
  moveFolder: 'folder',
  labelFolder: 'label',
  renamePasskey: 'passkey',
  removePasskey: 'passkey',
  removeAppPassword: 'appPassword',
  updateSignature: 'signature',
  removeSignature: 'signature',
  getUser: 'user',
  updateUser: 'user',
  removeUser: 'user',
  restoreUser: 'deletedUser',
  eraseUser: 'deletedUser',
  listUserSessions: 'user',
  endUserSessions: 'user',
  requireNewPassword: 'user',
  turnOffUserTwoFactor: 'user',
  stopUserForwarding: 'user',
  listAliases: 'user',
  createAlias: 'user',
  removeAlias: 'alias',
  getGroup: 'group',
  updateGroup: 'group',
  removeGroup: 'group',
  getCatchAll: 'domain',
  setCatchAll: 'domain',
  getDomain: 'domain',
  updateDomain: 'domain',
  removeDomain: 'domain',
  restoreDomain: 'domain',
  eraseDomain: 'domain',
  verifyDomain: 'domain',
  vouchForDomain: 'domain',
  listDomainChanges: 'domain',
  tryRecord: 'domain',
  compareDomainRecords: 'domain',
  removeDkimKey: 'domain',
  getClient: 'client',
  updateClient: 'client',
  sendCredentials: 'client',
  removeClient: 'client',
  restoreClient: 'client',
  eraseClient: 'client',
  getCompany: 'company',
  updateCompany: 'company',
  removeCompany: 'company',
  restoreCompany: 'company',
  eraseCompany: 'company',
  listArchives: 'company',
  makeArchive: 'company',
  linkArchive: 'company',
  removeArchive: 'company',
  getRole: 'role',
  createRole: 'company',
  updateRole: 'role',
  requireTwoFactor: 'role',
  removeRole: 'role',
  restoreRole: 'role',
  eraseRole: 'role',
  changePermissions: 'role',
  resetPermissions: 'user',
  getStory: 'delivery',
  changeDelivery: 'delivery',
};

function pathOf(endpoint: Endpoint, id: string): string {
  return endpoint.path.replace(/:\w+/g, id);
}

/** A valid body of each call that names a record. */
function bodyFor(name: string, id: string): unknown {
  const bodies: Record<string, object> = {
    changeStatus: { email_id: [id], read_status: true },
    giveBackup: { user_id: id, backup_user_email: 'a@remote.test' },
    removeBackup: { backup_email: copiedOwner, backup_id: id },
    changeLabels: { email_id: [id], add: [id] },
    moveMessages: { email_id: [id], folder_id: null },
    moveFolder: { folder: 'inbox', until: '9', folder_id: id },
    labelFolder: { folder: 'inbox', until: '9', label_id: id, is_on: true },
    renameOwnFolder: { name: 'mine now' },
    updateLabel: { name: 'mine now' },
    changeDelivery: { action: 'hold' },
    addImageSender: { email_id: id },
    updateFilter: { is_on: false },
    applyFilter: { until: '9' },
    orderFilters: { filter_ids: [id] },
    answerInvitation: { answer: 'accepted' },
    renamePasskey: { passkey_name: 'mine now' },
    updateSignature: { signature_name: 'mine now', signature_body: 'text' },
    reschedule: { send_at: new Date(Date.now() + 3_600_000).toISOString() },
    remindMe: { at: new Date(Date.now() + 3_600_000).toISOString() },
    snooze: { email_id: [id], until: new Date(Date.now() + 3_600_000).toISOString() },
    saveDraft: { draft_id: id },
    removeDrafts: { draft_ids: [id] },
    updateUser: { fname: 'Eve' },
    updateClient: { fname: 'Eve' },
    sendCredentials: { email: 'c@x.test' },
    updateCompany: { name: 'mine now' },
    linkArchive: { archive_id: id, password: encodePassword('a long pass phrase') },
    removeArchive: { archive_id: id },
    createRole: { role_name: 'Weavers', company_id: id },
    updateRole: { role_name: 'mine now' },
    requireTwoFactor: { required: true },
    createAlias: { address: 'sales@weavers.test' },
    updateGroup: { name: 'mine now' },
    setCatchAll: { address: '' },
    updateDomain: { active_status: true },
    tryRecord: { domain_id: id, type: 'A', name: '@', content: '192.0.2.1' },
    changePermissions: { role_id: id, permissions: [{ model: 'inbox', view: false }] },
    createModule: { name: 'looms' },
    updateModule: { name: 'looms' },
    replyOrForward: { originalEmailId: id, is_reply: true, recipient_emails_to: ['a@remote.test'] },
  };
  return bodies[name];
}

describe('authorisation', () => {
  it.each(guarded)('refuses %s without a token', async (_name, endpoint) => {
    const answer = await server.call(endpoint.method, pathOf(endpoint, '1'));
    expect(answer.status).toBe(401);
    const code = endpoint.needs === 'second-step' ? 'sign_in_again' : 'token_missing';
    expect(answer.body).toMatchObject({ success: false, code });
  });

  it.each(gated)('refuses %s without its permission', async (name, endpoint) => {
    const body = endpoint.method === 'GET' ? {} : { body: bodyFor(name, '1') ?? {} };
    const answer = await server.call(endpoint.method, pathOf(endpoint, '1'), { token: refusedToken, ...body });
    // The code tells a client to ask again what the person may do. No other refusal has it
    expect([answer.status, answer.body['code']]).toEqual([403, 'forbidden']);
  });

  const later = guarded.filter(([, endpoint]) => !endpoint.beforePasswordChange);
  it.each(later)('refuses %s to a person who has to change their password first', async (_name, endpoint) => {
    const answer = await server.call(endpoint.method, pathOf(endpoint, '1'), { token: newcomerToken });
    expect([answer.status, answer.body['code']]).toEqual([403, 'password_change_required']);
  });

  it.each(ofHost)('refuses %s to the Super Admin of a tenant', async (name, endpoint) => {
    const body = endpoint.method === 'GET' ? {} : { body: bodyFor(name, '1') ?? {} };
    const answer = await server.call(endpoint.method, pathOf(endpoint, '1'), { token, ...body });
    expect([answer.status, answer.body['code']]).toEqual([403, 'forbidden']);
  });

  const withRecords = guarded.filter(
    ([name, endpoint]) =>
      (endpoint.path.includes(':id') || bodyFor(name, '1') !== undefined) && !isOfHost(name, endpoint),
  );
  it.each(withRecords)('answers %s of another company with 404', async (name, endpoint) => {
    const id = foreign[recordOf[name] ?? ''];
    if (id === undefined) throw new Error(`recordOf does not say which record ${name} is about`);
    const body = bodyFor(name, id);
    const answer = await server.call(endpoint.method, pathOf(endpoint, id), { token, ...(body ? { body } : {}) });
    expect(answer.status).toBe(404);
  });

  it('asks for no flag that the matrix does not show', () => {
    const asked = gated.flatMap(([, { needs }]) => (typeof needs === 'object' ? [needs, needs.own, needs.or] : []));
    expect(asked.filter((flag) => flag && gatesNothing(flag.model, flag.action))).toEqual([]);
  });

  it('says in the API document which bodies a call can not do without, and how a password is written', async () => {
    const { body } = await server.call('GET', '/openapi.json');
    const paths = body['paths'] as Record<string, Record<string, { requestBody?: object }>>;
    const password = { type: 'string', description: 'Base64 of the UTF-8 text' };
    const schema = { properties: { new_password: password, confirm_password: password } };
    expect(paths['/user/set_password']?.['post']?.requestBody).toMatchObject({
      required: true,
      content: { 'application/json': { schema } },
    });
    expect(paths['/account/choices']?.['put']?.requestBody).toMatchObject({ required: false });
  });

  it('says in the API document which page of a list a call gets that names none', async () => {
    const { body } = await server.call('GET', '/openapi.json');
    type Parameter = { name: string; schema: { default?: unknown } };
    const paths = body['paths'] as Record<string, Record<string, { parameters: Parameter[] }>>;
    const asked = paths[listEmails.path]?.['get']?.parameters.filter(({ name }) =>
      ['page', 'limit', 'label'].includes(name),
    );
    expect(asked?.map(({ name, schema }) => [name, schema.default])).toEqual([
      ['page', 1],
      ['limit', 10],
      ['label', undefined],
    ]);
  });

  it('describes every call in the API document', async () => {
    const { body } = await server.call('GET', '/openapi.json');
    const paths = body['paths'] as Record<string, Record<string, { operationId: string }>>;
    const named = Object.values(paths).flatMap((item) => Object.values(item).map((call) => call.operationId));
    expect(named.toSorted()).toEqual(Object.keys(endpoints).toSorted());
  });
});
