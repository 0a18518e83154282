import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from '../support/api-client.ts';
import { seriousProblems } from '../support/axe.ts';
import { openTab } from '../support/browser.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { sharedWebHost } from '../support/shared-host.ts';
import type { ReachableHost } from '../support/test-host.ts';

let host: ReachableHost;
let ana: Mailbox;
let page: Page;

/** A picture of one green pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

beforeAll(async () => {
  host = await sharedWebHost();
  ana = await buildMailbox(host.app);
  page = await openTab(host, ana);
});

const picker = () => page.locator('input[type="file"]');
const picture = () => page.getByRole('button', { name: /^Account of/ }).locator('img');

describe('the profile of a person', () => {
  it('is opened from the avatar, and shows what is known', async () => {
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Profile' }).click();
    await page.getByRole('heading', { name: 'Profile Information' }).waitFor();
    await page.getByText('No bio available.').waitFor();
    await page.getByRole('heading', { name: 'Ana Test' }).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
  });

  it('is edited, each problem at its field, and asks before changes are thrown away', async () => {
    await page.getByRole('button', { name: 'Edit profile' }).click();
    await page.getByLabel('First name').fill(' ');
    await page.getByLabel('Phone').fill('12');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('First name is required').waitFor();
    await page.getByText('Phone number must be exactly 10 digits').waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Keep editing' }).click();
    await page.getByLabel('First name').fill('Anabel');
    await page.getByRole('link', { name: 'Sent' }).click();
    await page.getByRole('alertdialog', { name: 'Leave without saving?' }).waitFor();
    await page.getByRole('button', { name: 'Stay' }).click();
    expect(new URL(page.url()).pathname).toBe('/dashboard/profile');
    await expect.poll(() => page.getByLabel('First name').inputValue()).toBe('Anabel');
    await page.getByLabel('Phone').fill('9876543210');
    await page.getByLabel('Bio').fill('Buys cotton.\nSells yarn.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Profile Information' }).waitFor();
    await page.getByRole('heading', { name: 'Anabel Test' }).waitFor();
    await page.getByText('Buys cotton.').waitFor();
    await page.getByRole('button', { name: 'Account of Anabel Test' }).waitFor();
    await ana.user.reload();
    expect(ana.user.phoneNumber).toBe('9876543210');
  });

  it("is not overwritten when it was changed elsewhere meanwhile, and keeps the person's changes on top", async () => {
    await page.getByRole('button', { name: 'Edit profile' }).click();
    await page.getByLabel('Designation').fill('Buyer');
    const elsewhere = new ApiClient(host);
    await elsewhere.signIn(ana.user.email, ana.password);
    const change = new FormData();
    change.set('country', 'India');
    await elsewhere.data('PUT', `/user/update/${ana.user.id}`, change);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/^Anabel Test changed Country on .*Nothing of yours was saved yet\.$/).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Keep my changes on top' }).click();
    await expect.poll(() => page.getByLabel('Country').inputValue()).toBe('India');
    await expect.poll(() => page.getByLabel('Designation').inputValue()).toBe('Buyer');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Profile Information' }).waitFor();
    await ana.user.reload();
    expect([ana.user.country, ana.user.designation]).toEqual(['India', 'Buyer']);
  });

  it('takes a picture, shows it before it is saved and then in the top bar, and takes it away again', async () => {
    await page.getByRole('button', { name: 'Edit profile' }).click();
    await page.getByLabel('First name').waitFor();
    await picker().setInputFiles({ name: 'big.png', mimeType: 'image/png', buffer: Buffer.alloc(1_048_577) });
    await page.getByText('“big.png” is too large: a profile picture may be at most 1 MB.').waitFor();
    await picker().setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: png });
    await page.locator('header img[src^="blob:"]').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await picture().waitFor();
    const source = (await picture().getAttribute('src')) ?? '';
    expect(source).toMatch(/^\/upload\/avatars\/[0-9a-f]{64}\.webp$/);
    const served = await fetch(`${host.url}${source}`);
    expect(served.headers.get('content-type')).toBe('image/webp');

    await page.getByRole('button', { name: 'Edit profile' }).click();
    await page.getByRole('button', { name: 'Remove picture' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await picture().waitFor({ state: 'detached' });
    await ana.user.reload();
    expect(ana.user.avatar).toBeNull();
  });

  it('says what a file is that only claims to be a picture', async () => {
    await page.getByRole('button', { name: 'Edit profile' }).click();
    await page.getByLabel('First name').waitFor();
    await picker().setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: Buffer.from('<svg onload="x"/>') });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('This is not a picture that can be shown. Choose a PNG, JPEG, WebP or GIF file.').waitFor();
  });
});
