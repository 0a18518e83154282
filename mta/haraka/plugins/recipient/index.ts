import { setTimeout as sleep } from 'node:timers/promises';
import { resolveAtDoor } from '@selvage/core/directory/resolve-recipient';
import { findFull, type FullPlace, placeToTell, roomFor } from '@selvage/core/mailstore/require-room';
import { limitsOfPeople } from '@selvage/core/mailstore/storage-use';
import type { Reason } from '@selvage/core/ledger/reasons';
import { type Ctx, systemContext } from '@selvage/core/context/context';
import type { LocalRecipient } from '@selvage/core/mailstore/entry-rows';
import { newMailId } from '@selvage/core/mail/mail-id';
import { addressesOf, envelopeOf, findEnvelope } from '../../../src/inbound/smtp-envelope.ts';
import { explained } from '../../../src/inbound/explained.ts';
import type { HarakaAddress, HarakaConnection, Next } from '../../../src/inbound/haraka.ts';
import { checkRcptParameters, type EsmtpParameters } from '../../../src/esmtp-parameters.ts';
import { noteEvent } from '../../../src/note-event.ts';
import { noteRefused } from '../../../src/inbound/refusals.ts';
import { type HookAnswer, runHook } from '../../../src/inbound/run-hook.ts';
import { runningApp } from '../../../src/inbound/running-app.ts';
import { takeRecipient } from '../../../src/inbound/take-recipient.ts';
import { largerThanMailbox, mailboxFull, ourFailure, type Reply } from '../../../src/reply.ts';
import {
  noteUnknownRecipient,
  refuseSearchingNetwork,
  tooManyUnknown,
} from '../../../src/inbound/unknown-recipients.ts';

export function hook_rcpt(
  next: Next,
  connection: HarakaConnection,
  [recipient, parameters]: [HarakaAddress, EsmtpParameters],
): void {
  const command = { isOver: false };
  runHook(
    connection,
    next,
    () => answerRecipient(connection, recipient.address, parameters, command),
    () => {
      command.isOver = true;
      return refuse(connection, ourFailure, { address: recipient.address, companyId: null }).refused;
    },
  );
}

async function answerRecipient(
  connection: HarakaConnection,
  recipient: string,
  parameters: EsmtpParameters,
  command: { readonly isOver: boolean },
): Promise<HookAnswer> {
  const app = runningApp();
  const { mailId, recipients, declaredBytes } = envelopeOf(connection.transaction);
  const { hostname, maxRecipients } = app.config;
  const shut = refuseSearchingNetwork(connection) ?? checkRcptParameters(parameters);
  if (shut) return refuse(connection, shut, { address: recipient, companyId: null });
  const answer = await takeRecipient(
    {
      address: recipient,
      taken: addressesOf(recipients).size,
      people: recipients.length,
      limit: maxRecipients,
      hostname,
    },
    (address) => resolveAtDoor(systemContext(app, mailId), address),
  );
  if ('accept' in answer) {
    const accepted = await peopleWithRoom(systemContext(app, mailId), answer.accept, declaredBytes);
    if (!Array.isArray(accepted)) {
      const companyId = answer.accept[0]?.companyId ?? null;
      return refuse(connection, accepted, { address: recipient, companyId });
    }
    // The command has timed out and was answered with a 451, so the peer will name this recipient
    // again
    if (command.isOver) return null;
    const taken = addressesOf(recipients);
    // The same address twice in an envelope is one delivery
    recipients.push(...accepted.filter(({ address }) => !taken.has(address)));
    return { accepted: '2.1.5 Recipient ok' };
  }
  const refused = refuse(connection, answer.refuse, { address: recipient, companyId: answer.companyId });
  if (!searchReasons.has(answer.refuse.reason)) return refused;
  const delayMs = await noteUnknownRecipient(app, connection);
  if (delayMs === null) return { refused: tooManyUnknown, hangUp: true };
  await sleep(delayMs);
  return refused;
}

/**
 * The people of an accepted address, or the refusal when none of them has room. Room in one mailbox
 * of a group is enough: the message is stored for the others as well, and may pass their limit.
 */
async function peopleWithRoom(
  ctx: Ctx,
  people: LocalRecipient[],
  declaredBytes: number,
): Promise<LocalRecipient[] | Reply> {
  // Without a declared size, the mailbox needs room for one byte at least
  const bytes = Math.max(declaredBytes, 1);
  const [person, ...others] = people;
  if (person && others.length === 0) {
    if (person.isUnlimited) return people;
    const room = await roomFor(ctx, person.userId, bytes);
    const isUnlimited = room === 'unlimited';
    return isUnlimited || room === 'enough' ? [{ ...person, isUnlimited }] : refusalFor(room);
  }
  const limits = await limitsOfPeople(
    ctx,
    people.map(({ userId }) => userId),
  );
  if (limits.size < people.length) {
    return people.map((one) => ({ ...one, isUnlimited: !limits.has(one.userId) }));
  }
  const full = await findFull(ctx, [...limits.keys()], { bytes });
  return full.size < people.length ? people : refusalFor(placeToTell([...full.values()]));
}

const refusalFor = (place: FullPlace | undefined): Reply => (place === 'never' ? largerThanMailbox : mailboxFull);

/**
 * The reasons of refusals that an attacker gets in large numbers while searching for addresses or
 * for an open relay.
 */
const searchReasons: ReadonlySet<Reason> = new Set([
  'unknown_recipient',
  'deleted_mailbox',
  'relay_denied',
  'unproved_domain',
]);

interface RefusedRecipient {
  address: string;
  /** Null when the company of the recipient is unknown. */
  companyId: string | null;
}

function refuse(connection: HarakaConnection, refused: Reply, recipient: RefusedRecipient): { refused: Reply } {
  // A peer that has disconnected has no transaction any more
  const { mailId = newMailId(), from = '' } = findEnvelope(connection.transaction) ?? {};
  const reply = explained(refused, mailId);
  noteEvent('recipient refused', reply, { mailId, recipient: recipient.address });
  noteRefused(connection, { mailId, envelopeFrom: from, recipients: [recipient], reply });
  return { refused: reply };
}
