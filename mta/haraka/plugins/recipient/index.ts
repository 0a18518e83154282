import { setTimeout as sleep } from 'node:timers/promises';
import { locateAtDoor, readGroup } from '@selvage/core/directory/resolve-recipient';
import { findFull, type FullPlace, placeToTell, roomFor } from '@selvage/core/mailstore/require-room';
import { limitsOfPeople } from '@selvage/core/mailstore/storage-use';
import type { Reason } from '@selvage/core/ledger/reasons';
import { type Ctx, systemContext } from '@selvage/core/context/context';
import type { LocalRecipient } from '@selvage/core/mailstore/entry-rows';
import { addressesOf, type Envelope, envelopeOf } from '../../../src/inbound/smtp-envelope.ts';
import { explained } from '../../../src/inbound/explained.ts';
import type { HarakaAddress, HarakaConnection, Next } from '../../../src/inbound/haraka.ts';
import { checkRcptParameters, type EsmtpParameters } from '../../../src/esmtp-parameters.ts';
import { noteEvent } from '../../../src/note-event.ts';
import { noteRefused } from '../../../src/inbound/refusals.ts';
import { type HookAnswer, runHook } from '../../../src/inbound/run-hook.ts';
import { runningApp } from '../../../src/inbound/running-app.ts';
import { type RecipientAnswer, refuseEndlessCommands, takeRecipient } from '../../../src/inbound/take-recipient.ts';
import { largerThanMailbox, mailboxFull, ourFailure, type Reply } from '../../../src/reply.ts';
import {
  noteUnknownRecipient,
  refuseSearchingNetwork,
  tooManyUnknown,
} from '../../../src/inbound/unknown-recipients.ts';

/** One RCPT command. */
interface Command {
  connection: HarakaConnection;
  /** The address as the peer wrote it. */
  address: string;
  parameters: EsmtpParameters;
  /** Kept here, since a peer that has disconnected has no transaction any more. */
  envelope: Envelope;
  /**
   * True once the command has timed out. Its 451 is in the ledger then, and the peer will name this
   * recipient again.
   */
  isOver: boolean;
}

export function hook_rcpt(
  next: Next,
  connection: HarakaConnection,
  [{ address }, parameters]: [HarakaAddress, EsmtpParameters],
): void {
  const envelope = envelopeOf(connection.transaction);
  const command: Command = { connection, address, parameters, envelope, isOver: false };
  runHook(
    connection,
    next,
    () => answerRecipient(command),
    () => {
      command.isOver = true;
      return refuse(command, ourFailure).refused;
    },
  );
}

async function answerRecipient(command: Command): Promise<HookAnswer> {
  const app = runningApp();
  const { connection, envelope } = command;
  const { mailId, recipients, groups } = envelope;
  const { hostname, maxRecipients } = app.config;
  envelope.recipientCommands += 1;
  const endless = refuseEndlessCommands(envelope.recipientCommands, maxRecipients);
  if (endless) return { ...refuse(command, endless), hangUp: true };
  const shut = refuseSearchingNetwork(connection) ?? checkRcptParameters(command.parameters);
  if (shut) return refuse(command, shut);
  const ctx = systemContext(app, mailId);
  const taken = await takeRecipient(
    {
      address: command.address,
      taken: addressesOf(recipients),
      people: recipients.length,
      groups,
      limit: maxRecipients,
      hostname,
    },
    { locate: (address) => locateAtDoor(ctx, address), readGroup: (group) => readGroup(ctx, group) },
  );
  const { groupId } = taken;
  const isKnown = groupId !== undefined && groups.has(groupId);
  const answer = isKnown ? taken : await refuseWithoutRoom(ctx, taken, envelope.declaredBytes);
  if (groupId !== undefined) groups.set(groupId, answer);
  if (command.isOver) return null;
  if ('accept' in answer) {
    recipients.push(...answer.accept);
    return { accepted: '2.1.5 Recipient ok' };
  }
  const { refuse: reply, companyId } = answer;
  if (!searchReasons.has(reply.reason)) return refuse(command, reply, companyId);
  const delayMs = await noteUnknownRecipient(app, connection);
  if (delayMs !== null) await sleep(delayMs);
  if (command.isOver) return null;
  return delayMs === null
    ? { ...refuse(command, tooManyUnknown, companyId), hangUp: true }
    : refuse(command, reply, companyId);
}

/** The answer, or a refusal where none of the people that it accepts has room for the message. */
async function refuseWithoutRoom(ctx: Ctx, answer: RecipientAnswer, declaredBytes: number): Promise<RecipientAnswer> {
  if ('refuse' in answer || answer.accept.length === 0) return answer;
  const accepted = await peopleWithRoom(ctx, answer.accept, declaredBytes);
  if (Array.isArray(accepted)) return { accept: accepted };
  return { refuse: accepted, companyId: answer.accept[0]?.companyId ?? null };
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

/** Notes a refusal. `companyId` is null when the company of the recipient is unknown. */
function refuse(
  { connection, address, envelope: { mailId, from } }: Command,
  refused: Reply,
  companyId: string | null = null,
): { refused: Reply } {
  const reply = explained(refused, mailId);
  noteEvent('recipient refused', reply, { mailId, recipient: address });
  noteRefused(connection, { mailId, envelopeFrom: from, recipients: [{ address, companyId }], reply });
  return { refused: reply };
}
