import { Draft } from '@selvage/core/models/draft';
import { DraftAttachment } from '@selvage/core/models/draft-attachment';
import { Message } from '@selvage/core/models/message';
import { Signature } from '@selvage/core/models/signature';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openTab } from '../support/browser.ts';
import { ComposePage } from '../support/compose-page.ts';
import { buildAlias, buildMailbox, type Mailbox } from '../support/factories.ts';
import { problemsInAllLooks } from '../support/looks.ts';
import { sharedWebHost } from '../support/shared-host.ts';
import { prepareSigning } from '../support/signing.ts';
import type { ReachableHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

let host: ReachableHost;
let ana: Mailbox;
let one: Device;
let other: Device;

beforeAll(async () => {
  host = await sharedWebHost();
  ana = await buildMailbox(host.app, { user: { undoMs: 0 } });
  await prepareSigning(host, ana);
  one = await device();
  other = await device();
});

const drafts = (): Promise<Draft[]> =>
  Draft.findAll({ where: { userId: String(ana.user.id) }, order: [['id', 'ASC']] });
const subjects = async (): Promise<string[]> => (await drafts()).map(({ subject }) => subject);
const isSaved = (compose: ComposePage) => compose.window().getByText('Saved', { exact: true }).waitFor();

interface Device {
  page: Page;
  compose: ComposePage;
}

/** A browser of its own. */
async function device(of = ana): Promise<Device> {
  const page = await openTab(host, of);
  return { page, compose: new ComposePage(page) };
}

async function openDraft({ page, compose }: Device, subject: string): Promise<void> {
  await page.getByRole('link', { name: 'Drafts' }).click();
  const row = page.getByRole('listitem').filter({ hasText: subject });
  await row.getByRole('button', { name: new RegExp(subject) }).click();
  await compose.text().waitFor();
}

async function closeAll(): Promise<void> {
  for (const { compose } of [one, other]) {
    if ((await compose.window().count()) > 0) await compose.press('Close');
    await compose.window().waitFor({ state: 'detached' });
  }
}

describe('a message that is being written', { timeout: 180_000 }, () => {
  it('is a draft for another device although its window was never closed', async () => {
    const first = await device();
    await first.compose.open();
    await first.compose.write({ to: 'priya@remote.test', subject: 'The new looms', text: 'They arrive on Monday.' });
    await first.compose.attach('terms.txt', 'the terms');
    await isSaved(first.compose);
    await first.compose.type('Good news: ');
    await until('what came later is saved', async () => (await drafts())[0]?.body.includes('Good news: They') === true);
    await first.page.close({ runBeforeUnload: false });
    const second = other;
    await openDraft(second, 'The new looms');
    await second.compose.text().getByText('Good news: They arrive on Monday.').waitFor();
    expect(await second.compose.recipients()).toEqual(['priya@remote.test']);
    await second.compose.window().getByText('terms.txt').waitFor();
    expect(await subjects()).toEqual(['The new looms']);
    const draftId = String((await drafts())[0]?.id);
    expect(await DraftAttachment.count({ where: { draftId } })).toBe(1);
    await closeAll();
  });

  it('never takes the place of what another device has saved: both are kept', async () => {
    const [first, second] = [one, other];
    for (const each of [first, second]) await openDraft(each, 'The new looms');
    await first.compose.field('Subject').fill('Mine');
    await isSaved(first.compose);
    await second.compose.field('Subject').fill('Theirs');
    const question = second.compose.window().getByText('This draft was changed elsewhere meanwhile.');
    await question.waitFor();
    expect(await subjects()).toEqual(['Mine']);
    expect(await problemsInAllLooks(second.page, 'draft-changed')).toEqual({});
    // Nor is what the other device has saved lost unseen with the draft that is sent
    await second.compose.press('Send');
    await second.compose.window().getByText('Nothing was sent, and your text is still here.').waitFor();
    expect(await subjects()).toEqual(['Mine']);
    await second.compose.press('Keep both');
    await isSaved(second.compose);
    await question.waitFor({ state: 'detached' });
    expect(await subjects()).toEqual(['Mine', 'Theirs']);
    for (const { id } of await drafts()) {
      expect(await DraftAttachment.count({ where: { draftId: String(id) } })).toBe(1);
    }
    await second.compose.field('Subject').fill('Theirs again');
    await expect.poll(subjects).toEqual(['Mine', 'Theirs again']);
    await closeAll();
  });

  it('gives way to what another device has saved where the person says so', async () => {
    const [first, second] = [one, other];
    for (const each of [first, second]) await openDraft(each, 'Mine');
    await first.compose.field('Subject').fill('The latest');
    await isSaved(first.compose);
    await second.compose.field('Subject').fill('Too late');
    await second.compose.press('Discard mine');
    await expect.poll(() => second.compose.field('Subject').inputValue()).toBe('The latest');
    expect(await subjects()).toEqual(['The latest', 'Theirs again']);
    await second.compose.press('Discard');
    await second.page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
    await expect.poll(subjects).toEqual(['Theirs again']);
    await first.compose.field('Subject').fill('Still here');
    await first.compose.window().getByText('This draft was sent or deleted elsewhere.').waitFor();
    await first.compose.press('Save as a new draft');
    await expect.poll(subjects).toEqual(['Theirs again', 'Still here']);
    // The file went with the draft, and the window says so
    const lost = first.compose.window().getByRole('alert');
    await lost.getByText('“terms.txt” could not be kept. Please attach it again.').waitFor();
    await lost.getByRole('button', { name: 'Close' }).click();
    await closeAll();
  });

  it('leaves no draft when it is sent, also while it is being saved', async () => {
    await Draft.destroy({ where: { userId: String(ana.user.id) } });
    const { page, compose } = one;
    await page.getByRole('link', { name: 'Inbox' }).click();
    let letSaveGo = (): void => undefined;
    const isHeld = new Promise<void>((resolve) => {
      letSaveGo = resolve;
    });
    let isAsked = false;
    await page.route('**/mail/draft/save', async (route) => {
      isAsked = true;
      await isHeld;
      await route.continue();
    });
    await compose.open();
    await compose.write({ to: 'priya@remote.test', subject: 'Sent while saved', text: 'Hello' });
    await until('it is being saved', () => Promise.resolve(isAsked));
    await compose.press('Send');
    letSaveGo();
    await compose.window().waitFor({ state: 'detached' });
    await until(
      'it was sent once',
      async () => (await Message.count({ where: { subject: 'Sent while saved', fromAddress: ana.user.email } })) === 1,
    );
    await page.unroute('**/mail/draft/save');
    expect(await subjects()).toEqual([]);
  });

  it('shows how far the upload of its files is, also when it is sent meanwhile', async () => {
    const { page, compose } = one;
    const line = await page.context().newCDPSession(page);
    await line.send('Network.enable');
    const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 20_000 };
    await line.send('Network.emulateNetworkConditions', slow);
    await compose.open();
    await compose.write({ to: 'priya@remote.test', subject: 'The whole pattern', text: 'Hello' });
    await compose.attach('pattern.txt', 'warp and weft '.repeat(40_000));
    const upload = compose.window().getByRole('progressbar', { name: 'Uploading the files' });
    const share = async (): Promise<number> => Number(await upload.getAttribute('aria-valuenow'));
    await upload.waitFor();
    await compose.press('Send');
    const begun = await share();
    await until('more of it is uploaded', async () => (await share()) > begun);
    await line.send('Network.emulateNetworkConditions', { ...slow, uploadThroughput: -1 });
    await compose.window().waitFor({ state: 'detached' });
    const where = { subject: 'The whole pattern', fromAddress: ana.user.email };
    await until('it was sent', async () => (await Message.count({ where })) === 1);
    expect(await subjects()).toEqual([]);
    await line.detach();
  });

  it('leaves no draft when it is discarded, or emptied and closed', async () => {
    const { page, compose } = one;
    for (const end of ['Discard', 'Clear All']) {
      await compose.open();
      await compose.write({ to: 'priya@remote.test', subject: 'On second thoughts', text: 'Hello' });
      await isSaved(compose);
      expect(await subjects()).toEqual(['On second thoughts']);
      await compose.press(end);
      await page.getByRole('alertdialog').getByRole('button').last().click();
      if (end === 'Clear All') await compose.press('Close');
      await compose.window().waitFor({ state: 'detached' });
      await expect.poll(subjects).toEqual([]);
    }
  });

  it('stays a draft when it has a file and nothing else, and is closed', async () => {
    const bo = await buildMailbox(host.app);
    const { page, compose } = await device(bo);
    await compose.open();
    await compose.attach('prices.txt', 'the prices');
    await isSaved(compose);
    await compose.press('Close');
    await page.getByText('Saved in Drafts.').waitFor();
    const [draft, ...others] = await Draft.findAll({ where: { userId: String(bo.user.id) } });
    expect(others).toEqual([]);
    expect(await DraftAttachment.count({ where: { draftId: String(draft?.id) } })).toBe(1);
  });

  it('says that it is not saved while the server can’t be reached, and is saved afterwards', async () => {
    const { page, compose } = one;
    await page.route('**/mail/draft/save', (route) => route.abort());
    await compose.open();
    await compose.field('Subject').fill('Through the tunnel');
    await compose.window().getByText('Not saved in Drafts yet').waitFor();
    await page.unroute('**/mail/draft/save');
    await isSaved(compose);
    expect(await subjects()).toEqual(['Through the tunnel']);
  });
});

describe('a draft that is opened again', { timeout: 120_000 }, () => {
  /** The draft of a person with an alias and a signature, in its window. */
  async function openOwn() {
    const eva = await buildMailbox(host.app);
    const owner = { companyId: String(eva.company.id), userId: String(eva.user.id) };
    const { address: alias } = await buildAlias(eva);
    const signature = { signatureName: 'Office', nameKey: 'office', signatureBody: '<div>Eva of the mill</div>' };
    await Signature.create({ ...owner, ...signature });
    const lists = { toList: ['priya@remote.test'], ccList: [], bccList: [] };
    const draft = await Draft.create({ ...owner, ...lists, subject: 'The new looms' });
    const own = await device(eva);
    await openDraft(own, draft.subject);
    await expect.poll(() => own.compose.recipients()).toEqual(lists.toList);
    return { ...own, alias, read: () => draft.reload() };
  }

  it('keeps no recipient that was taken away after a save, however soon it is closed', async () => {
    const { page, compose, read } = await openOwn();
    await compose.field('To').fill('wrong@remote.test');
    await page.keyboard.press('Enter');
    await isSaved(compose);
    expect((await read()).toList).toEqual(['priya@remote.test', 'wrong@remote.test']);
    const remove = compose.window().getByRole('button', { name: /^Remove.*wrong/ });
    await remove.click();
    await compose.press('Close');
    await expect.poll(async () => (await read()).toList).toEqual(['priya@remote.test']);
  });

  it('is saved with another From, although nothing was written', async () => {
    const { compose, alias, read } = await openOwn();
    await compose.window().getByRole('combobox', { name: 'From', exact: true }).selectOption(alias);
    await compose.press('Close');
    await expect.poll(async () => (await read()).fromAddress).toBe(alias);
  });

  it('is saved with a signature, although nothing was written', async () => {
    const { page, compose, read } = await openOwn();
    await compose.press('Signature');
    await page.getByRole('menuitemradio', { name: 'Office' }).click();
    await compose.text().getByText('Eva of the mill').waitFor();
    await compose.press('Close');
    await expect.poll(async () => (await read()).body).toContain('Eva of the mill');
  });
});
