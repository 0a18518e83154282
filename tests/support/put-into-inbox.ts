import { randomUUID } from 'node:crypto';
import { systemContext } from '@selvage/core/context/context';
import { storeInbound } from '@selvage/core/mailstore/store-message';
import type { Mailbox } from './factories.ts';
import type { ReachableHost } from './test-host.ts';

/** A message with one part. */
export interface Letter {
  subject: string;
  body: string;
  type?: 'text/plain' | 'text/html';
}

/** Puts a message from Priya into a person's inbox. */
export async function putIntoInbox(host: ReachableHost, { user, company }: Mailbox, letter: Letter): Promise<void> {
  const { subject, body, type = 'text/html' } = letter;
  const lines = [
    'From: Priya <priya@remote.test>',
    `To: ${user.email}`,
    `Subject: ${subject}`,
    'MIME-Version: 1.0',
    `Content-Type: ${type}; charset=utf-8`,
    'Content-Transfer-Encoding: 8bit',
  ];
  await storeInbound(systemContext(host.app), {
    raw: Buffer.from([...lines, '', body, ''].join('\r\n')),
    envelopeFrom: 'priya@remote.test',
    recipients: [{ userId: String(user.id), companyId: String(company.id), address: user.email }],
    client: { address: '192.0.2.1', helo: 'remote.test', tls: false },
    authentication: null,
    traceHeaders: '',
    mailId: randomUUID(),
  });
}
