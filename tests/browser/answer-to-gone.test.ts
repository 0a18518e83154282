import { systemContext } from '@selvage/core/context/context';
import { inboundOf } from '@selvage/core/mailstore/test-messages';
import { storeInbound } from '@selvage/core/mailstore/store-message';
import { Draft } from '@selvage/core/models/draft';
import { Message } from '@selvage/core/models/message';
import { changeStatus } from '@selvage/core/mailstore/change-status';
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTab } from '../support/browser.ts';
import { ComposePage } from '../support/compose-page.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { sharedWebHost } from '../support/shared-host.ts';
import { prepareSigning } from '../support/signing.ts';
import type { ReachableHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNk+M9Qz0AEYBxVSF+FABJADveWkH6oAAAAAElFTkSuQmCC';

let host: ReachableHost;
let ana: Mailbox;
let page: Page;
let compose: ComposePage;
let subject: string;

beforeAll(async () => {
  host = await sharedWebHost();
});

/** Opens an answer to a message with a picture, which is deleted for good elsewhere meanwhile. */
beforeEach(async ({ task }) => {
  ana = await buildMailbox(host.app, { user: { undoMs: 0 } });
  await prepareSigning(host, ana);
  subject = `Gone ${task.id}`;
  const ctx = systemContext(host.app);
  const { entryIds } = await storeInbound(ctx, inboundOf(original(), [ana]));
  page = await openTab(host, ana);
  compose = new ComposePage(page);
  await page.goto(`${host.url}/dashboard/inbox/${entryIds[0]}`);
  await page.getByRole('button', { name: 'Reply', exact: true }).click();
  await compose.text().waitFor();
  const flags = { trashStatus: true, deleteStatus: true };
  await changeStatus(ctx, { userId: String(ana.user.id), entryIds, flags });
});

function original(): Buffer {
  const head = ['From: Bea <bea@remote.test>', `Subject: ${subject}`, 'MIME-Version: 1.0'];
  const html = ['Content-Type: text/html', '', '<p>See <img src="cid:p@x"></p>'];
  const picture = ['Content-Type: image/png', 'Content-ID: <p@x>', 'Content-Transfer-Encoding: base64', '', PIXEL];
  const related = ['Content-Type: multipart/related; boundary=b', '', '--b', ...html, '--b', ...picture, '--b--', ''];
  return Buffer.from([...head, ...related].join('\r\n'));
}

describe('an answer to a message that was deleted for good meanwhile', () => {
  it('is sent all the same', async () => {
    await compose.type('Too late for you.');
    await page.keyboard.press('ControlOrMeta+Enter');
    const sent = await until('it is sent', () =>
      Message.findOne({ where: { subject: `Re: ${subject}`, fromAddress: ana.user.email } }),
    );
    expect(sent.toList).toEqual(['Bea <bea@remote.test>']);
    expect(sent.preview).toContain('Too late for you.');
  });

  it('is saved as a draft, and sent as one', async () => {
    await compose.type('Kept.');
    await until('it is a draft', () => Draft.findOne({ where: { userId: String(ana.user.id) } }));
    await compose.press('Send');
    await until('it is sent', () =>
      Message.findOne({ where: { subject: `Re: ${subject}`, fromAddress: ana.user.email } }),
    );
    await until('the draft is gone', async () => (await Draft.count({ where: { userId: String(ana.user.id) } })) === 0);
  });
});
