import { User } from '@selvage/core/models/user';
import type { App } from '@selvage/core/context/app';
import { Secret, TOTP } from 'otpauth';
import { Op } from 'sequelize';
import { renderSVG } from 'uqr';

/*
 * Codes of an authenticator app (RFC 6238): SHA-1, six digits and 30 seconds, which every app
 * understands. A code of the step before or after is accepted as well, for clocks that differ. No
 * code is accepted twice, nor one older than the last.
 */

const periodSeconds = 30;
const secretBytes = 20;
const purpose = 'two-factor-secret';

/** A new shared secret, base32. */
export function newSecret(): string {
  return new Secret({ size: secretBytes }).base32;
}

export function sealSecret(app: App, secret: string): string {
  return app.secrets.seal(secret, purpose);
}

export function openSecret(app: App, sealed: string): string {
  return app.secrets.open(sealed, purpose);
}

/** The QR code that an authenticator app scans, as a data URL. */
export function qrCode(app: App, email: string, secret: string): string {
  const uri = totpOf(secret, { issuer: app.config.hostname, label: email }).toString();
  const svg = renderSVG(uri, { border: 2 });
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}

/** The time step to which a code belongs; null for a wrong code. */
export function stepOfCode(secret: string, code: string, now = Date.now()): number | null {
  const delta = totpOf(secret).validate({ token: code, timestamp: now, window: 1 });
  return delta === null ? null : Math.floor(now / 1000 / periodSeconds) + delta;
}

/**
 * Checks a code of a person's app and marks it as used. Of two calls with the same code at once,
 * only one succeeds.
 */
export async function redeemTotp(app: App, user: User, code: string): Promise<boolean> {
  if (!user.twoFactorSecret) return false;
  const step = stepOfCode(openSecret(app, user.twoFactorSecret), code);
  if (step === null) return false;
  const where = { id: user.id, twoFactorSecret: user.twoFactorSecret, twoFactorLastStep: { [Op.lt]: step } };
  const [taken] = await User.update({ twoFactorLastStep: step }, { where, silent: true });
  return taken === 1;
}

function totpOf(secret: string, names: { issuer?: string; label?: string } = {}): TOTP {
  const parameters = { algorithm: 'SHA1', digits: 6, period: periodSeconds };
  return new TOTP({ ...names, ...parameters, secret: Secret.fromBase32(secret) });
}
