import { randomUUID } from 'node:crypto';
import type { App } from '@selvage/core/context/app';
import { systemContext } from '@selvage/core/context/context';
import { storeInbound } from '@selvage/core/mailstore/store-message';
import type { Mailbox } from '../../support/factories.ts';

/** Stores a message for people as the inbound door does. */
export async function storeFor(app: App, people: readonly Mailbox[], raw: Buffer): Promise<void> {
  await storeInbound(systemContext(app), {
    raw,
    envelopeFrom: 'a@bench.test',
    recipients: people.map(({ user }) => ({
      userId: String(user.id),
      companyId: String(user.companyId),
      address: user.email,
    })),
    client: { address: '127.0.0.1', helo: 'bench.test', tls: false },
    authentication: null,
    traceHeaders: '',
    mailId: randomUUID(),
  });
}

/** Stores many messages, several at the same time, so that they share commits. */
export async function storeAll(messages: Iterable<() => Promise<void>>, atOnce = 24): Promise<void> {
  const waiting = messages[Symbol.iterator]();
  const work = async (): Promise<void> => {
    for (let next = waiting.next(); !next.done; next = waiting.next()) await next.value();
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}
