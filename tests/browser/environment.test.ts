import { AuditEvent } from '@selvage/core/models/audit-event';
import { EnvironmentVariable } from '@selvage/core/models/environment-variable';
import { User } from '@selvage/core/models/user';
import { builtInRole } from '@selvage/core/contracts/permissions';
import type { BrowserContext, Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ApiClient } from '../support/api-client.ts';
import { openBrowser, signIn } from '../support/browser.ts';
import { buildCompany, buildMailbox, type Mailbox } from '../support/factories.ts';
import { isAlive } from '../support/is-alive.ts';
import { problemsInAllLooks } from '../support/looks.ts';
import { type ProgramName, startTestHost, type TestHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

const programs: ProgramName[] = ['workers', 'inbound', 'submission', 'api'];
const relay = 'smtp://selvage:hush@relay.test:587';

let host: TestHost;
let admin: Mailbox;
let browser: BrowserContext;
let page: Page;

beforeAll(async () => {
  host = await startTestHost(Object.fromEntries(programs.map((name) => [`PROCESSES_${name.toUpperCase()}`, '1'])));
  const tenant = await buildCompany(host.app, { isProvider: true });
  admin = await buildMailbox(host.app, { tenant, roleNumber: builtInRole.superAdmin });
  browser = await openBrowser();
  page = await browser.newPage();
  await signIn(page, host, admin);
});

beforeEach(async () => {
  await EnvironmentVariable.destroy({ where: {} });
});

async function open(): Promise<void> {
  await page.goto(`${host.url}/dashboard/accountsettings?activeTab=security`);
  await section().getByRole('button', { name: 'Add variable' }).waitFor();
}

const section = () => page.getByRole('region', { name: 'Environment variables' });
const row = (key: string) => section().getByRole('listitem').filter({ hasText: key });
const dialog = () => page.getByRole('dialog');
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

/** Another Super Admin of the provider. */
async function otherAdmin(): Promise<ApiClient> {
  const { user, password } = await buildMailbox(host.app, { tenant: admin, roleNumber: builtInRole.superAdmin });
  const client = new ApiClient(host);
  await client.signIn(user.email, password);
  return client;
}

async function add(key: string, value: string): Promise<void> {
  await press('Add variable');
  await dialog().getByLabel('Key').fill(key);
  await dialog().getByLabel('Value').fill(value);
  await dialog().getByRole('button', { name: 'Create' }).click();
}

/** Stands for the supervisor, which starts again what has ended. */
async function startEnded(): Promise<void> {
  for (const name of programs) {
    if (!isAlive(host.pid(name))) await host.start(name);
  }
}

describe('the environment variables of the account settings', () => {
  it('are added, shown, changed and deleted', { timeout: 240_000 }, async () => {
    await open();
    await section().scrollIntoViewIfNeeded();
    await section().getByText('No variable is set here.').waitFor();
    expect(await problemsInAllLooks(page, 'environment-empty')).toEqual({});

    await add('max recipients', '');
    await page.getByText('Key must contain only uppercase letters, numbers, and underscores.').waitFor();
    await page.getByText('Value is required.').waitFor();
    await dialog().getByLabel('Key').fill('DATABASE_URL');
    await dialog().getByLabel('Value').fill('1');
    await dialog().getByRole('button', { name: 'Create' }).click();
    await page.getByText('A process needs this to reach its database').waitFor();
    await dialog().getByLabel('Key').fill('MAX_RECIPIENTS');
    await dialog().getByText('Maximum number of recipients of one message.').waitFor();
    await dialog().getByText('Currently 100 (the default)').waitFor();
    await dialog().getByLabel('Value').fill('many');
    await dialog().getByRole('button', { name: 'Create' }).click();
    await page.getByText('The value must be a whole number.').waitFor();
    await dialog().getByLabel('Value').fill('60');
    expect(await problemsInAllLooks(page, 'environment-add')).toEqual({});
    await dialog().getByRole('button', { name: 'Create' }).click();
    await row('MAX_RECIPIENTS').getByText('After a restart').waitFor();
    await section().getByText('Changes to this list take effect after a restart.').waitFor();

    await page.getByRole('button', { name: 'Edit MAX_RECIPIENTS' }).click();
    await expect.poll(() => dialog().getByLabel('Key').getAttribute('readonly')).not.toBeNull();
    await dialog().getByLabel('Value').fill('70');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await row('MAX_RECIPIENTS').getByText('70', { exact: true }).waitFor();

    await add('OUTBOUND_RELAY', relay);
    await add('LEGACY_THING', 'x '.repeat(1200));
    await row('LEGACY_THING').getByText('No effect').waitFor();
    await expect.poll(() => section().textContent()).not.toContain('hush');
    await page.getByRole('button', { name: 'Show the value of OUTBOUND_RELAY' }).click();
    await dialog().getByLabel('Your password').fill('not the password');
    await dialog().getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByText('The password is wrong.').first().waitFor();
    await dialog().getByLabel('Your password').fill(admin.password);
    await dialog().getByRole('button', { name: 'Show', exact: true }).click();
    await row('OUTBOUND_RELAY').getByText(relay).waitFor();
    await section().scrollIntoViewIfNeeded();
    expect(await problemsInAllLooks(page, 'environment-full')).toEqual({});
    await page.getByRole('button', { name: 'Hide the value of OUTBOUND_RELAY' }).click();
    await row('OUTBOUND_RELAY').getByRole('img', { name: 'Hidden value' }).waitFor();
    await expect.poll(() => AuditEvent.count({ where: { action: 'environment:revealed' } })).toBe(1);

    await page.getByRole('button', { name: 'Delete LEGACY_THING' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await row('LEGACY_THING').waitFor({ state: 'detached' });
    await expect.poll(() => EnvironmentVariable.count()).toBe(2);
  });

  it('tell a person who saves one of what another person saved meanwhile', async () => {
    const other = await otherAdmin();
    await open();
    await add('MAX_RECIPIENTS', '60');
    await page.getByRole('button', { name: 'Edit MAX_RECIPIENTS' }).click();
    await dialog().getByLabel('Value').fill('70');
    await other.data('PUT', '/env/update', { key: 'MAX_RECIPIENTS', value: '65' });
    await dialog().getByRole('button', { name: 'Save' }).click();
    await dialog().getByText('changed Value').waitFor();
    await dialog().getByRole('button', { name: 'Keep my changes' }).click();
    expect(await dialog().getByLabel('Value').inputValue()).toBe('70');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await row('MAX_RECIPIENTS').getByText('70', { exact: true }).waitFor();
  });

  it('hide a secret again that has changed since it was shown', async () => {
    const other = await otherAdmin();
    await open();
    await add('OUTBOUND_RELAY', relay);
    await page.getByRole('button', { name: 'Show the value of OUTBOUND_RELAY' }).click();
    await dialog().getByLabel('Your password').fill(admin.password);
    await dialog().getByRole('button', { name: 'Show', exact: true }).click();
    await row('OUTBOUND_RELAY').getByText(relay).waitFor();
    await other.data('PUT', '/env/update', { key: 'OUTBOUND_RELAY', value: 'smtp://new:secret@relay.test:587' });
    // Any change reads the list anew
    await add('MAX_RECIPIENTS', '60');
    await row('MAX_RECIPIENTS').waitFor();
    await row('OUTBOUND_RELAY').getByRole('img', { name: 'Hidden value' }).waitFor();
    await page.getByRole('button', { name: 'Show the value of OUTBOUND_RELAY' }).waitFor();
    await expect.poll(() => section().textContent()).not.toContain('hush');
  });

  it('come into force by a restart, of which the page says how far it is', { timeout: 300_000 }, async () => {
    await open();
    await add('MAX_RECIPIENTS', '80');
    await row('MAX_RECIPIENTS').getByText('After a restart').waitFor();
    await press('Restart');
    const question = page.getByRole('alertdialog');
    await question.getByText('These run in one process each').waitFor();
    expect(await problemsInAllLooks(page, 'environment-restart')).toEqual({});
    await question.getByRole('button', { name: 'Restart' }).click();
    await section().getByText('Restarting: 0 of 4 processes are replaced.').waitFor();
    expect(await problemsInAllLooks(page, 'environment-running')).toEqual({});
    await until(
      'the page says that all is done',
      async () => {
        await startEnded();
        return await row('MAX_RECIPIENTS').getByText('In force').isVisible();
      },
      200_000,
    );
    await section().getByText('Last restart').waitFor();
    expect(await problemsInAllLooks(page, 'environment-done')).toEqual({});
  });

  it('say that a restart could not be asked for, and why one failed', { timeout: 300_000 }, async () => {
    await host.end('workers', 'SIGTERM');
    // A primary replaces its processes, and keeps the old ones when a new one fails
    await host.start('workers', { PROCESSES_WORKERS: '2' });
    await open();
    await press('Restart');
    const question = page.getByRole('alertdialog');
    // Its code comes from the program that ends now
    await question.getByRole('button', { name: 'Restart' }).waitFor();
    await host.end('api', 'SIGTERM');
    await question.getByRole('button', { name: 'Restart' }).click();
    await question.getByText(/^Failed to restart PM\. \S/).waitFor();
    expect(await problemsInAllLooks(page, 'environment-not-asked')).toEqual({});
    await host.start('api');
    // Stands for a release that can't start: the database seems to be of a newer version
    await host.app.db.query("INSERT INTO schema_migrations (name) VALUES ('99990101-0000-later.ts')");
    try {
      await question.getByRole('button', { name: 'Restart' }).click();
      await section()
        .getByText(/^The last restart did not finish\. \S/)
        .waitFor({ timeout: 150_000 });
    } finally {
      await host.app.db.query("DELETE FROM schema_migrations WHERE name = '99990101-0000-later.ts'");
    }
    await section().scrollIntoViewIfNeeded();
    expect(await problemsInAllLooks(page, 'environment-failed')).toEqual({});
    await page.reload();
    await section().getByText('The last restart did not finish.').waitFor();
  });

  it('are not shown to other people', async () => {
    const person = await buildMailbox(host.app, { roleNumber: builtInRole.superAdmin });
    const client = new ApiClient(host);
    await client.signIn(person.user.email, person.password);
    expect((await client.call('GET', '/env/get/all')).status).toBe(403);
    // The same page, for a person whose role was changed meanwhile
    await User.update({ roleId: String(admin.roles.get(builtInRole.admin)?.id) }, { where: { id: admin.user.id } });
    await page.goto(`${host.url}/dashboard/accountsettings?activeTab=security`);
    await page.getByRole('heading', { name: 'Recent activity' }).waitFor();
    await expect.poll(() => section().count()).toBe(0);
  });
});
