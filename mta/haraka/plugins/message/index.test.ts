import { newMailId } from '@selvage/core/mail/mail-id';
import { expect, it, vi } from 'vitest';
import { testApp } from '../../../../tests/support/test-app.ts';
import type { HarakaConnection, HarakaTransaction } from '../../../src/inbound/haraka.ts';
import { setRunningApp } from '../../../src/inbound/running-app.ts';
import { openEnvelope } from '../../../src/inbound/smtp-envelope.ts';
import { hook_data } from './index.ts';

it('counts the memory of messages by the block of IPv6 addresses that one customer has', async () => {
  const app = await testApp();
  setRunningApp(app);
  const open = vi.spyOn(app.memory, 'open');
  for (const ip of ['2001:db8:1:2::1', '2001:db8:1:3::1']) {
    const transaction = Object.assign({ notes: {} } as HarakaTransaction, { message_stream: {} });
    openEnvelope(transaction, newMailId(), 'ann@remote.test');
    const connection = Object.assign({} as HarakaConnection, { early_talker: false, remote: { ip }, transaction });
    hook_data(() => undefined, connection);
  }
  expect(open.mock.calls.map(([source]) => source)).toEqual(['2001:db8:1::/48', '2001:db8:1::/48']);
});
