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

/**
 * The bytes of a message as it leaves, and its form for servers without 8BITMIME if that differs.
 */
type Forms = Pick<Envelope, 'raw' | 'sevenBit'>;

type Leaving =
  | ({ kind: 'ready' } & Forms)
  /** The signing key of the sender's domain is still being made. */
  | { kind: 'wait' }
  /** The mailbox that would forward the message has forwarded it before, or ten others have. */
  | { kind: 'loop' }
  /** The message is too complex to be signed. A later attempt could not sign it either. */
  | { kind: 'too_complex' };

/**
 * Signs a message, or only adds its trace headers. Returns null while the signing key is still
 * being made.
 */
type Write = (raw: Buffer) => Promise<Buffer | null>;

/**
 * The bytes of a message for a transfer. `forwardedFor` is the mailbox whose owner forwards it,
 * null for a message on its way from its sender.
 * @throws when the stored bytes are gone, or when signing fails for another reason than complexity
 */
export async function leavingForms(ctx: Ctx, message: OutgoingMessage, forwardedFor: string | null): Promise<Leaving> {
  const read = async (): Promise<Buffer> => {
    const stored = await readBlob(ctx.app.blobs, message.blobKey);
    return forwardedFor === null ? stored : await withoutForged(stored, ctx.app.config.hostname);
  };
  const raw = await read();
  // It reads the message again, so that a transfer holds the signed form alone meanwhile
  const convert = async () => await ctx.app.content.convert(await read(), domainOf(message.fromAddress));
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
 * Removes the Authentication-Results fields of a stranger's message that claim to be from this
 * host. The server that gets the forwarded message may trust the results of this host.
 */
async function withoutForged(raw: Buffer, hostname: string): Promise<Buffer> {
  const [header, body] = withoutForgedResults(raw, hostname);
  return header.length + body.length === raw.length ? raw : await joinBytes([header, body]);
}

/**
 * Only adds the trace headers. The message itself stays the same, so the signature that it came
 * with stays valid.
 */
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
 * The message without 8-bit text. A message of this host is signed again, since its bytes change.
 * In a forwarded copy of mail from outside, the conversion breaks the signature that the message
 * came with.
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

/**
 * Refuses the message, so that its sender hears of it at once: a later attempt would fail as well.
 */
function tooComplex(error: unknown): FittedMessage {
  if (!(error instanceof MessageTooComplex)) throw error;
  return { kind: 'refused', text: 'it has 8-bit text, and its structure is too complex to be changed' };
}
