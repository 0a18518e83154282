import { parseMessage } from '@selvage/core/mail/parse-message';
import { readSource } from '@selvage/core/mailstore/message-source';
import { Message } from '@selvage/core/models/message';
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { untilDrawn } from '../support/axe.ts';
import { openTab } from '../support/browser.ts';
import { ComposePage } from '../support/compose-page.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { problemsInAllLooks } from '../support/looks.ts';
import { putIntoInbox } from '../support/put-into-inbox.ts';
import { sharedWebHost } from '../support/shared-host.ts';
import type { ReachableHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

let host: ReachableHost;
let ana: Mailbox;
let page: Page;
let compose: ComposePage;

beforeAll(async () => {
  host = await sharedWebHost();
  ana = await buildMailbox(host.app);
  await putIntoInbox(host, ana, { subject: 'Harvest', body: '<p>Two <b>lots</b> are ready.</p>' });
  page = await openTab(host, ana);
  compose = new ComposePage(page);
});

beforeEach(async () => {
  await page.goto(`${host.url}/dashboard/inbox`);
  await page.getByText('Harvest').first().click();
});

const answer = (name: 'Reply' | 'Forward') => page.getByRole('button', { name, exact: true }).first().click();
const fold = (name: 'Show quoted text' | 'Hide quoted text') => compose.window().getByRole('button', { name });
const quote = () => compose.text().getByText('Two lots are ready.');

async function discard(): Promise<void> {
  await compose.press('Discard');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
}

describe('what an answer quotes', () => {
  it('is folded away until it is asked for, and sent although it is', async () => {
    await answer('Reply');
    await fold('Show quoted text').waitFor();
    expect(await fold('Show quoted text').getAttribute('aria-expanded')).toBe('false');
    expect(await quote().isVisible()).toBe(false);
    expect(await problemsInAllLooks(page, 'quote-folded')).toEqual({});
    await fold('Show quoted text').click();
    await quote().waitFor();
    await fold('Hide quoted text').click();
    await quote().waitFor({ state: 'hidden' });
    await compose.type('Thanks.');
    await compose.press('Send');
    const where = { subject: 'Re: Harvest', fromAddress: ana.user.email };
    const message = await until('it was sent', () => Message.findOne({ where }));
    const { html, text } = await parseMessage(await readSource(host.app, message));
    expect(html).toMatch(/Thanks\.[^]*wrote:[^]*<blockquote>[^]*Two <b>lots<\/b> are ready\.[^]*<\/blockquote>/);
    expect(html).not.toMatch(/display: ?none|selvage-/);
    expect(text).toContain('Two lots are ready.');
  });

  it('is seen before it is deleted with all of the text', async () => {
    await answer('Reply');
    await fold('Show quoted text').waitFor();
    await compose.type('Thanks.');
    await page.keyboard.press('ControlOrMeta+a');
    await quote().waitFor();
    // The editor hears a moment later that everything is selected
    await untilDrawn(page);
    await page.keyboard.press('Delete');
    await quote().waitFor({ state: 'detached' });
    await fold('Hide quoted text').waitFor({ state: 'detached' });
    await discard();
  });

  it('stands there from the start when it is forwarded', async () => {
    await answer('Forward');
    const forwarded = page.getByRole('dialog', { name: 'Forward Email' });
    await forwarded.getByText('Two lots are ready.').waitFor();
    expect(await forwarded.getByRole('button', { name: /quoted text/ }).count()).toBe(0);
    await forwarded.getByRole('button', { name: 'Close', exact: true }).click();
  });
});
