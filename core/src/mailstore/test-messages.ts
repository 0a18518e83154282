import { randomUUID } from 'node:crypto';
import type { Mailbox } from '../../../tests/support/factories.ts';
import type { Ctx } from '../context/context.ts';
import type { StoreInput, StoreResult } from './store-batch.ts';
import { storeInbound } from './store-message.ts';

/** The parts in which a test message differs from the default. */
export interface RawOverrides {
  messageId?: string | null;
  references?: string;
  inReplyTo?: string;
  subject?: string;
  body?: string;
}

/** A small message as its bytes. */
export function rawMessage(overrides: RawOverrides = {}): Buffer {
  const messageId = overrides.messageId === undefined ? `<${randomUUID()}@sender.test>` : overrides.messageId;
  const lines = [
    'From: Bea Sender <bea@sender.test>',
    'To: Ana <ana@host.test>, carl@host.test',
    'Cc: dora@host.test',
    `Subject: ${overrides.subject ?? 'Hello'}`,
    'Date: Mon, 02 Nov 2026 10:00:00 +0000',
    ...(messageId === null ? [] : [`Message-ID: ${messageId}`]),
    ...(overrides.inReplyTo ? [`In-Reply-To: ${overrides.inReplyTo}`] : []),
    ...(overrides.references ? [`References: ${overrides.references}`] : []),
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=edge',
    '',
    '--edge',
    'Content-Type: text/plain; charset=utf-8',
    '',
    overrides.body ?? 'The text.',
    '--edge',
    'Content-Type: text/csv; name=rows.csv',
    'Content-Disposition: attachment; filename=rows.csv',
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from('a,b\n1,2\n').toString('base64'),
    '--edge--',
    '',
  ];
  return Buffer.from(lines.join('\r\n'));
}

/** A file of a message that is built for a test. */
export type NamedFile = [name: string, content: Buffer];

/** A message with a short text and these files, as its bytes. */
function messageWithFiles(files: readonly NamedFile[], subject: string): Buffer {
  const parts = files.flatMap(([name, content]) => [
    '--edge',
    'Content-Type: application/octet-stream',
    `Content-Disposition: attachment; filename="${name}"`,
    'Content-Transfer-Encoding: base64',
    '',
    content.toString('base64').replace(/.{76}/g, '$&\r\n'),
  ]);
  const head = ['From: Bea Sender <bea@sender.test>', 'To: Ana <ana@host.test>', `Subject: ${subject}`];
  const types = ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=edge'];
  return Buffer.from([...head, ...types, '', '--edge', '', 'See the files.', ...parts, '--edge--', ''].join('\r\n'));
}

/** The mailbox as `resolveRecipient` finds it. */
export function recipientOf({ user, company }: Mailbox): StoreInput['recipients'][number] {
  return { userId: String(user.id), companyId: String(company.id), address: user.email };
}

/** A message as the inbound door passes it to the store. */
export function inboundOf(raw: StoreInput['raw'], mailboxes: readonly Mailbox[]): StoreInput {
  return {
    raw,
    envelopeFrom: 'bea@sender.test',
    recipients: mailboxes.map(recipientOf),
    client: { address: '192.0.2.1', helo: 'mx.sender.test', tls: true },
    authentication: null,
    traceHeaders: 'Return-Path: <bea@sender.test>\r\n',
    mailId: randomUUID(),
  };
}

/** Stores a message for some mailboxes. */
export function receive(ctx: Ctx, mailboxes: readonly Mailbox[], overrides?: RawOverrides): Promise<StoreResult> {
  return storeInbound(ctx, inboundOf(rawMessage(overrides), mailboxes));
}

/** Stores a message with files for some mailboxes. */
export function receiveFiles(
  ctx: Ctx,
  mailboxes: readonly Mailbox[],
  files: readonly NamedFile[],
  subject = 'Files',
): Promise<StoreResult> {
  return storeInbound(ctx, inboundOf(messageWithFiles(files, subject), mailboxes));
}
