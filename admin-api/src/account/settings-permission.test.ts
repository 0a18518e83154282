import { createAppPassword, listActivity, listAppPasswords, removeAppPassword } from '@selvage/core/contracts/account';
import { getActiveSessions } from '@selvage/core/contracts/auth';
import { saveChoices } from '@selvage/core/contracts/choices';
import { encodePassword } from '@selvage/core/contracts/encode-password';
import type { Endpoint } from '@selvage/core/contracts/endpoint';
import {
  resendForwardingLink,
  setForwarding,
  setForwardingScope,
  stopForwarding,
} from '@selvage/core/contracts/forwarding';
import { addImageSender, listImageSenders, removeImageSender } from '@selvage/core/contracts/image-senders';
import { readMailAccess } from '@selvage/core/contracts/mail-access';
import * as rules from '@selvage/core/contracts/mail-rules';
import { setUndoLength } from '@selvage/core/contracts/mail-settings';
import type { PermissionAction } from '@selvage/core/contracts/permissions';
import * as signatures from '@selvage/core/contracts/signatures';
import { listPasskeys } from '@selvage/core/contracts/two-factor';
import { getVacation, setVacation, stopVacation } from '@selvage/core/contracts/vacation';
import { AppPassword } from '@selvage/core/models/app-password';
import { UserPermission } from '@selvage/core/models/user-permission';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { makeSetting, type SettingKind } from '../http/test-records.ts';
import { type Administrator, signInAs } from '../test-people.ts';
import { startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});

/** A call with the setting that it names and the body that it takes. */
interface Case {
  needs: PermissionAction;
  call: Endpoint;
  of?: SettingKind;
  body?: object | ((person: Administrator, id: string) => object);
  /** What the call answers once it is let through; 200 unless given. */
  comesTo?: number;
}

const vacation = { is_on: true, subject: '', body: 'Away', first_day: null, last_day: null, time_zone: 'Asia/Kolkata' };
const rule = { name: 'Bills', conditions: { subject: 'bill' }, actions: { star: true } };
const password = (person: Administrator) => encodePassword(person.password);

const cases: [string, Case][] = [
  [
    'making an app password',
    {
      needs: 'create',
      call: createAppPassword,
      body: (person) => ({ app_name: 'Phone', password: password(person) }),
    },
  ],
  ['taking an app password back', { needs: 'delete', call: removeAppPassword, of: 'appPassword' }],
  [
    'forwarding',
    {
      needs: 'create',
      call: setForwarding,
      body: (person) => ({ forward_to: `${person.user.id}@elsewhere.test`, password: password(person) }),
    },
  ],
  ['mailing the link of forwarding again', { needs: 'create', call: resendForwardingLink, comesTo: 409 }],
  ['choosing what is forwarded', { needs: 'edit', call: setForwardingScope, body: { forward_filtered: true } }],
  ['ending forwarding', { needs: 'delete', call: stopForwarding }],
  [
    'making a signature',
    {
      needs: 'create',
      call: signatures.createSignature,
      body: { signature_name: 'Formal', signature_body: '<p>Ana</p>' },
    },
  ],
  [
    'changing a signature',
    { needs: 'edit', call: signatures.updateSignature, of: 'signature', body: { signature_name: 'Formal' } },
  ],
  [
    'choosing a signature for new mail',
    { needs: 'edit', call: signatures.setSignaturePreferences, body: { signature_new_emails_use: '' } },
  ],
  ['deleting a signature', { needs: 'delete', call: signatures.removeSignature, of: 'signature' }],
  ['reading the filters', { needs: 'view', call: rules.listFilters }],
  ['making a filter', { needs: 'create', call: rules.createFilter, body: rule }],
  ['switching a filter off', { needs: 'edit', call: rules.updateFilter, of: 'filter', body: { is_on: false } }],
  [
    'putting the filters in order',
    { needs: 'edit', call: rules.orderFilters, of: 'filter', body: (_person, id) => ({ filter_ids: [id] }) },
  ],
  ['deleting a filter', { needs: 'delete', call: rules.removeFilter, of: 'filter' }],
  ['reading the blocked senders', { needs: 'view', call: rules.listBlocked }],
  ['blocking a sender', { needs: 'create', call: rules.blockSender, body: { address: 'spam@remote.test' } }],
  ['unblocking a sender', { needs: 'delete', call: rules.unblockSender, of: 'blocked' }],
  ['writing the vacation reply', { needs: 'edit', call: setVacation, body: vacation }],
  ['switching the vacation reply off', { needs: 'edit', call: stopVacation }],
  ['reading whose pictures are shown', { needs: 'view', call: listImageSenders }],
  [
    'always showing the pictures of a sender',
    { needs: 'create', call: addImageSender, body: { email_id: '999999999' }, comesTo: 404 },
  ],
  ['no longer showing them', { needs: 'delete', call: removeImageSender, of: 'imageSender' }],
];

/** Gives a person these flags of the account settings, and no other. */
async function permit({ company, user }: Administrator, flags: readonly PermissionAction[]): Promise<void> {
  const entry = { companyId: String(company.id), userId: String(user.id), model: 'accountsettings' };
  await UserPermission.destroy({ where: { userId: entry.userId } });
  const may = (action: PermissionAction) => flags.includes(action);
  const columns = { canView: may('view'), canCreate: may('create'), canEdit: may('edit'), canDelete: may('delete') };
  await UserPermission.create({ ...entry, ...columns });
}

const newPerson = async () => await signInAs(server, await buildMailbox(server.app));

describe('the permission for account settings', () => {
  it.each(cases)('is asked for %s', async (_what, { needs, call, of, body, comesTo = 200 }) => {
    const person = await newPerson();
    const id = of ? await makeSetting(person, of) : '';
    const given = typeof body === 'function' ? body(person, id) : body;
    const make = () => person.call(call.method, call.path.replace(':id', id), given);
    const others = (['view', 'create', 'edit', 'delete'] as const).filter((action) => action !== needs);
    await permit(person, others);
    const refused = await make();
    expect([refused.status, refused.body['code']]).toEqual([403, 'forbidden']);
    await permit(person, [needs]);
    expect((await make()).status).toBe(comesTo);
  });

  const free: [string, Endpoint, object?][] = [
    ['the signatures to compose with', signatures.listSignatures],
    ['whether mail is answered for them', getVacation],
    ['the time to undo', setUndoLength, { undo_ms: 5_000 }],
    ['how the web app looks', saveChoices, { theme: 'dark' }],
    ['what a new password may end', listAppPasswords],
    ['what else logs them in', listPasskeys],
    ['their sessions', getActiveSessions],
    ['what happened to the account', listActivity],
    ['what else could read their mail', readMailAccess],
  ];
  it.each(free)('is not asked for %s', async (_what, call, body) => {
    const person = await newPerson();
    await permit(person, []);
    expect((await person.call(call.method, call.path, body)).status).toBe(200);
  });

  it('is not asked of a person who ends an app password with a new password', async () => {
    const person = await newPerson();
    const lost = await makeSetting(person, 'appPassword');
    await permit(person, []);
    const next = encodePassword('seven green bottles');
    const passwords = { old_password: password(person), new_password: next, confirm_password: next };
    const changed = await person.call('POST', '/user/change_password', { ...passwords, end_app_passwords: [lost] });
    expect(changed.status).toBe(200);
    expect(await AppPassword.count({ where: { userId: String(person.user.id) } })).toBe(0);
  });
});
