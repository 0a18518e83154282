import { findMessageId } from '@selvage/core/mail/find-message-id';
import type { AuthenticationResults } from '@selvage/core/mail/authenticate-message';
import { MessageTooComplex } from '@selvage/core/mail/parsed-message';
import type { LocalRecipient } from '@selvage/core/mailstore/entry-rows';
import { noRoomOf } from '@selvage/core/mailstore/require-room';
import { storeInbound } from '@selvage/core/mailstore/store-message';
import type { App } from '@selvage/core/context/app';
import { systemContext } from '@selvage/core/context/context';
import { log } from '@selvage/core/log';
import { addressesOf, type Known } from './smtp-envelope.ts';
import type { Client } from './client-of.ts';
import { inspectMessage } from './inspect-message.ts';
import { judgeMessage } from './judge-message.ts';
import type { Collected } from '../message-bytes.ts';
import {
  headerRefused,
  largerThanMailbox,
  mailboxFull,
  messageTooLarge,
  tooMuchAtOnce,
  ourFailure,
  type Reply,
} from '../reply.ts';
import { traceHeaders } from './trace-headers.ts';

/** A message that has arrived completely, and its envelope. */
export interface Arrived {
  mailId: string;
  from: string;
  recipients: readonly LocalRecipient[];
  message: Collected;
  hasEndlessLine: boolean;
  client: Client;
  /** Aborted when no reply is waited for any more. */
  over: AbortSignal;
  /** This module fills in what it finds out about the message. */
  known: Known;
}

const tooComplex: Reply = {
  code: 550,
  enhancedCode: '5.6.0',
  text: 'The structure of the message is too complex',
  reason: 'too_complex',
};

/** No peer reads this. The log, the metrics and the ledger tell by it why there is no message. */
const peerGone: Reply = {
  code: 421,
  enhancedCode: '4.4.2',
  text: 'The connection ended before the message was stored',
  reason: 'timeout',
};

/**
 * Decides about a message and stores it. 250 is answered only after everything is committed (D16).
 * A failure of this host is a 451, and the sender tries again.
 */
export async function acceptMessage(app: App, arrived: Arrived): Promise<Reply> {
  const { message } = arrived;
  if (message.kind === 'too_large') return messageTooLarge;
  if (message.kind === 'no_room') return tooMuchAtOnce;
  if (message.kind === 'bad_header') return headerRefused(message.problem);
  const reply = await decide(app, arrived, message.raw);
  if (reply.code !== 250) arrived.known.messageIdHeader = findMessageId(message.raw);
  return reply;
}

async function decide(app: App, arrived: Arrived, raw: Buffer): Promise<Reply> {
  const inspection = await inspectMessage(raw);
  const evidence = { inspection, hasEndlessLine: arrived.hasEndlessLine };
  const first = judgeMessage({ ...evidence, authentication: null });
  if (!first.accept) return first.reply;
  try {
    const { ip, helo } = arrived.client;
    const sender = { ip, helo, mailFrom: arrived.from };
    const authentication = await app.content.authenticate(raw, sender, arrived.over);
    arrived.known.checks = authentication;
    const verdict = judgeMessage({ ...evidence, authentication });
    if (!verdict.accept) return verdict.reply;
    const isJunk = verdict.folder === 'junk';
    return await store(app, arrived, { raw, authentication, isJunk });
  } catch (error) {
    if (arrived.over.aborted && error === arrived.over.reason) return peerGone;
    // RFC 5321 4.2.1: a retry would bring the same structure, so a permanent failure tells the
    // sender at once
    if (error instanceof MessageTooComplex) return { ...tooComplex, text: `${tooComplex.text} (${error.reason})` };
    const when = noRoomOf(error);
    if (when !== null) return when === 'never' ? largerThanMailbox : mailboxFull;
    log.error('message could not be stored', { error });
    return ourFailure;
  }
}

async function store(
  app: App,
  arrived: Arrived,
  { raw, authentication, isJunk }: { raw: Buffer; authentication: AuthenticationResults; isJunk: boolean },
): Promise<Reply> {
  const { mailId, from, recipients, client } = arrived;
  const { duplicate } = await storeInbound(systemContext(app, mailId), {
    raw,
    envelopeFrom: from,
    recipients,
    client: { address: client.ip, helo: client.helo, tls: client.tls !== null },
    authentication,
    isJunk,
    traceHeaders: traceHeaders({
      ...client,
      hostname: app.config.hostname,
      mailId,
      from,
      recipients: [...addressesOf(recipients)],
      authenticationResults: authentication.header,
      date: new Date(),
    }),
    mailId,
  });
  return {
    code: 250,
    enhancedCode: '2.0.0',
    text: `Stored as ${mailId}`,
    reason: duplicate ? 'duplicate' : 'stored_locally',
  };
}
