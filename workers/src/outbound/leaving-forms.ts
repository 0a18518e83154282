import { isAscii } from 'node:buffer';
import { joinBytes } from '@selvage/core/share-bytes';
import type { Ctx } from '@selvage/core/context/context';
import { domainOf } from '@selvage/core/mail/address-rules';
import type { FittedMessage } from '@selvage/core/mail/fit-lines';
import { withoutForgedResults } from '@selvage/core/mail/forged-results';
import { MessageTooComplex } from '@selvage/core/mail/parsed-message';
import { readBlob } from '@selvage/core/mailstore/read-blob';
import type { OutgoingMessage } from '@selvage/core/outbound/claim-deliveries';
import { forwardedTrace, isForwardingLoop, wasSentHere } from '@selvage/core/outbound/forwarded-copy';
import { signOutgoing } from '@selvage/core/outbound/sign-outgoing';
import type { Envelope } from './smtp-session.ts';

/** A message as it leaves, and for servers without 8BITMIME where that is another form. */
type Forms = Pick<Envelope, 'raw' | 'sevenBit'>;

type Leaving =
  | ({ kind: 'ready' } & Forms)
  /** The key of its domain is still being made. */
  | { kind: 'wait' }
  /** The mailbox that would forward it has done so before. */
  | { kind: 'loop' }
  /** It can't be signed. A message does not get simpler by waiting. */
  | { kind: 'too_complex' };

/** Makes the bytes of a message. A failure to write them is a sentence for its sender. */
type Write = (raw: Buffer) => Promise<Buffer | null>;

/**
 * The bytes of a message for a transfer. `forwardedFor` is the mailbox whose owner forwards it,
 * null for a message on its way from its sender.
 * @throws when the bytes are gone, or the message can't be signed
 */
export async function leavingForms(ctx: Ctx, message: OutgoingMessage, forwardedFor: string | null): Promise<Leaving> {
  const stored = await readBlob(ctx.app.blobs, message.blobKey);
  const raw = forwardedFor === null ? stored : await withoutForged(stored, ctx.app.config.hostname);
  const convert = () => ctx.app.content.convert(raw, domainOf(message.fromAddress));
  if (forwardedFor === null) return await formsOf(raw, signed(ctx, message), convert);
  if (isForwardingLoop(raw, forwardedFor)) return { kind: 'loop' };
  const copy = { ...message, traceHeaders: forwardedTrace(message.traceHeaders, forwardedFor) };
  return await formsOf(raw, (await wasSentHere(ctx, message.id)) ? signed(ctx, copy) : unsigned(copy), convert);
}

function signed(ctx: Ctx, message: OutgoingMessage): Write {
  return async (raw) => {
    const result = await signOutgoing(ctx, message, raw);
    return result.kind === 'wait' ? null : result.bytes;
  };
}

/**
 * A stranger's message without results that claim to be this host's: the server that it is
 * forwarded to may believe this host.
 */
async function withoutForged(raw: Buffer, hostname: string): Promise<Buffer> {
  const [header, body] = withoutForgedResults(raw, hostname);
  return header.length + body.length === raw.length ? raw : await joinBytes([header, body]);
}

/** The signature that a message came with stays good while its bytes are the same. */
function unsigned({ traceHeaders }: OutgoingMessage): Write {
  return (raw) => joinBytes([Buffer.from(traceHeaders), raw]);
}

async function formsOf(raw: Buffer, write: Write, convert: () => Promise<FittedMessage>): Promise<Leaving> {
  const bytes = await write(raw).catch(noneIfTooComplex);
  if (bytes === null) return { kind: 'wait' };
  if (bytes === undefined) return { kind: 'too_complex' };
  if (isAscii(raw)) return { kind: 'ready', raw: bytes };
  return { kind: 'ready', raw: bytes, sevenBit: () => sevenBitForm(write, convert) };
}

/**
 * The message without 8-bit text. What is signed is signed anew, since its bytes are others; in a
 * copy of mail from outside, the signature that it came with is broken.
 */
async function sevenBitForm(write: Write, convert: () => Promise<FittedMessage>) {
  const converted = await convert().catch(tooComplex);
  if (converted.kind === 'refused') return { refused: converted.text };
  const bytes = await write(converted.raw).catch(noneIfTooComplex);
  if (bytes === null) throw new Error('The key of a message that was signed is gone');
  return bytes ? { raw: bytes } : { refused: 'without it, it is too complex to be signed' };
}

function noneIfTooComplex(error: unknown): undefined {
  if (!(error instanceof MessageTooComplex)) throw error;
}

/** A message does not get simpler by waiting, so its sender hears of it at once. */
function tooComplex(error: unknown): FittedMessage {
  if (!(error instanceof MessageTooComplex)) throw error;
  return { kind: 'refused', text: 'it has 8-bit text, and its structure is too complex to be changed' };
}
