import { createHmac, timingSafeEqual } from 'node:crypto';
import { notFound } from '@selvage/core/errors';
import type { App } from '@selvage/core/context/app';

/*
 * A path that gives access to one thing of one person for an hour, without an Authorization header:
 * browsers can't send one for pictures and downloads. Token: `<field>.<field>…<expiry,
 * seconds>.<mac>`. The fields are ids and numbers.
 */

/** What a signed path opens. A token of one kind opens nothing of another kind. */
export type SignedKind = 'attachment' | 'draft-attachment' | 'files' | 'frame' | 'remote' | 'source';

const lifetimeSeconds = 3600;
/**
 * Paths made within the same quarter of an hour are equal, so that browsers can use their cache.
 */
const stepSeconds = 900;

/** Makes the signed path of a thing. */
export function signPath(app: App, kind: SignedKind, fields: (string | number)[], now = Date.now()): string {
  const step = Math.ceil(now / 1000 / stepSeconds) * stepSeconds;
  const content = [...fields, step + lifetimeSeconds].join('.');
  return `/upload/${kind}/${content}.${mac(app, kind, content)}`;
}

/**
 * The fields that a token was made for.
 * @throws 404 for a token that is forged or has expired
 */
export function readSignedToken(app: App, kind: SignedKind, token: string, now = Date.now()): string[] {
  const signed = verify(app, kind, token);
  if (!signed || signed.expiresAt * 1000 < now)
    throw notFound('file', 'This link is not valid any more. Open the message again.');
  return signed.fields;
}

/**
 * The fields of a token, even of an expired one, for texts that quote a path; null for a forged
 * one.
 */
export function readQuotedToken(app: App, kind: SignedKind, token: string): string[] | null {
  return verify(app, kind, token)?.fields ?? null;
}

function verify(app: App, kind: SignedKind, token: string): { fields: string[]; expiresAt: number } | null {
  const end = token.lastIndexOf('.');
  const content = token.slice(0, Math.max(end, 0));
  const given = Buffer.from(token.slice(end + 1));
  const right = Buffer.from(mac(app, kind, content));
  if (given.length !== right.length || !timingSafeEqual(given, right)) return null;
  const fields = content.split('.');
  return { expiresAt: Number(fields.pop()), fields };
}

function mac(app: App, kind: SignedKind, content: string): string {
  return createHmac('sha256', app.secrets.key('upload-path'))
    .update(`${kind}.${content}`)
    .digest('base64url')
    .slice(0, 32);
}
