import { fullName } from '@selvage/core/contracts/full-name';
import { createHmac } from 'node:crypto';
import type {
  AuthenticationResponseJSON,
  RegistrationResponseJSON,
  VerifiedAuthenticationResponse,
  WebAuthnCredential,
} from '@simplewebauthn/server';
import { Passkey } from '@selvage/core/models/passkey';
import type { User } from '@selvage/core/models/user';
import type { App } from '@selvage/core/context/app';
import { log } from '@selvage/core/log';
import { Op } from 'sequelize';
import { z } from 'zod';
import type { SignedIn } from '../http/request-context.ts';

/*
 * Passkeys as a second factor. They are bound to the configured address of the host, never to what
 * a request claims. The device need not verify the person (by a fingerprint or a PIN) where the
 * password has done so.
 */

const challengeSeconds = 300;
/**
 * EdDSA, ES256 and RS256, which devices support. The library's default has one more, which Node
 * calls experimental.
 */
const algorithms = [-8, -7, -257];
/** The base64url id of a credential, as a browser sends it. The column compares ASCII only. */
const credentialIdForm = /^[\w-]{1,1400}$/;
/** What a browser says of the ways to reach a passkey, a few short words. Others say nothing. */
const transportsForm = z.array(z.string().max(32)).max(16).catch([]);

type Json = Record<string, unknown>;

/** The library takes 23 MB of memory, so it is loaded when it is first needed. */
const webAuthn = () => import('@simplewebauthn/server');

/**
 * The options that a browser passes to `navigator.credentials.create`. The challenge is valid once,
 * and only for `holder`.
 */
export async function registrationOptions(app: App, user: User, holder: string): Promise<Json> {
  const known = await Passkey.findAll({ where: { userId: String(user.id) } });
  const { generateRegistrationOptions } = await webAuthn();
  const options = await generateRegistrationOptions({
    rpName: app.config.hostname,
    rpID: siteOf(app).rpID,
    userName: user.email,
    userDisplayName: fullName(user),
    // The same for a person each time, but it reveals nothing about them
    userID: new Uint8Array(createHmac('sha256', app.secrets.key('passkey-user')).update(String(user.id)).digest()),
    timeout: challengeSeconds * 1000,
    excludeCredentials: known.map(descriptorOf),
    supportedAlgorithmIDs: algorithms,
    authenticatorSelection: { residentKey: 'discouraged', userVerification: 'discouraged' },
  });
  await keepChallenge(app, `add:${holder}`, options.challenge);
  return { ...options };
}

/** A credential whose transports were checked. */
type NewCredential = WebAuthnCredential & { transports: string[] };

/**
 * The credential that a browser made; null when the response is not a right answer to the
 * challenge.
 */
export async function readRegistration(app: App, holder: string, response: Json): Promise<NewCredential | null> {
  const expectedChallenge = await takeChallenge(app, `add:${holder}`);
  if (!expectedChallenge) return null;
  const { rpID, origin } = siteOf(app);
  const { verifyRegistrationResponse } = await webAuthn();
  const given = response as unknown as RegistrationResponseJSON;
  try {
    await refuseCertificates(given.response.attestationObject);
    const result = await verifyRegistrationResponse({
      response: given,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: false,
      supportedAlgorithmIDs: algorithms,
    });
    if (!result.verified) return null;
    const { credential } = result.registrationInfo;
    if (!credentialIdForm.test(credential.id)) return null;
    return { ...credential, transports: transportsForm.parse(credential.transports) };
  } catch (error) {
    log.info('a passkey was refused', { error });
    return null;
  }
}

/**
 * Refuses an attestation with certificates. None is asked for, so a browser passes on at most a
 * signature by the new credential itself (WebAuthn 5.1.3). The library would ask the servers that a
 * certificate names for a list of revoked ones, and an attacker can name any address.
 * @throws Error
 */
async function refuseCertificates(attestationObject: string): Promise<void> {
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers');
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
  const format = attestation.get('fmt');
  const isBySelf = format === 'packed' && attestation.get('attStmt').get('x5c') === undefined;
  if (format !== 'none' && !isBySelf) throw new Error('an attestation that no browser passes on');
}

/** What a passkey is asked for. An answer that was given for one of them counts for no other. */
type Purpose = 'sign-in' | 'confirm';

/**
 * The options that a browser passes to `navigator.credentials.get`. At a login the password has
 * been right already; for a confirmation the device should check the person itself.
 */
export async function passkeyOptions(app: App, user: User, purpose: Purpose, holder: string): Promise<Json> {
  const known = await Passkey.findAll({ where: { userId: String(user.id) } });
  const { generateAuthenticationOptions } = await webAuthn();
  const options = await generateAuthenticationOptions({
    rpID: siteOf(app).rpID,
    timeout: challengeSeconds * 1000,
    allowCredentials: known.map(descriptorOf),
    userVerification: purpose === 'confirm' ? 'preferred' : 'discouraged',
  });
  await keepChallenge(app, `${purpose}:${holder}`, options.challenge);
  return { ...options };
}

/**
 * The result of checking a passkey's answer. With `verified` the answer is right, and the device
 * has also checked the person, by a fingerprint, a face or a PIN. A counter that does not grow
 * shows that the passkey was copied.
 */
type Verdict = 'right' | 'verified' | 'wrong' | 'copied';

/** An answer that a passkey is said to have given, and what it was asked for. */
export interface PasskeyAnswer {
  purpose: Purpose;
  /** To whom the challenge was issued. */
  holder: string;
  response: Json;
}

/** Checks the answer of one of a person's passkeys. The challenge is used up. */
export async function redeemPasskey(
  app: App,
  user: User,
  { purpose, holder, response }: PasskeyAnswer,
): Promise<Verdict> {
  const expectedChallenge = await takeChallenge(app, `${purpose}:${holder}`);
  const credentialId = response['id'];
  if (!expectedChallenge || typeof credentialId !== 'string' || !credentialIdForm.test(credentialId)) return 'wrong';
  const passkey = await Passkey.findOne({ where: { userId: String(user.id), credentialId } });
  if (!passkey) return 'wrong';
  const facts = await factsOf(app, passkey, expectedChallenge, response);
  if (facts === null) return 'wrong';
  const { newCounter: counter, userVerified } = facts;
  // A device without a counter always sends 0. For others, the condition accepts only one of two
  // answers that arrive at once
  const isNext = counter === 0 ? { counter: 0 } : { counter: { [Op.lt]: counter } };
  const [used] = await Passkey.update({ counter, lastUsedAt: new Date() }, { where: { id: passkey.id, ...isNext } });
  if (used !== 1) return 'copied';
  return userVerified ? 'verified' : 'right';
}

/** What a right answer says; null for a wrong answer. */
async function factsOf(
  app: App,
  passkey: Passkey,
  challenge: string,
  response: Json,
): Promise<VerifiedAuthenticationResponse['authenticationInfo'] | null> {
  const { rpID, origin } = siteOf(app);
  const { verifyAuthenticationResponse } = await webAuthn();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: response as unknown as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: false,
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
        // 0 turns the library's check off: `redeemPasskey` compares the counter in the statement
        // that stores it
        counter: 0,
      },
    });
    return verified ? authenticationInfo : null;
  } catch (error) {
    log.info('a passkey was refused', { error });
    return null;
  }
}

/** The key of a credential as it is stored. */
export function encodeKey(key: WebAuthnCredential['publicKey']): string {
  return Buffer.from(key).toString('base64url');
}

function descriptorOf({ credentialId, transports }: Passkey): { id: string; transports: string[] } {
  return { id: credentialId, transports };
}

/** To whom a challenge is issued: this session of this person. */
export function sessionHolder({ actor }: SignedIn): string {
  return `${actor.userId}:${actor.sessionId}`;
}

function siteOf(app: App): { rpID: string; origin: string } {
  const { hostname, origin } = new URL(app.config.url);
  return { rpID: hostname, origin };
}

async function keepChallenge(app: App, holder: string, challenge: string): Promise<void> {
  await app.redis.set(`passkey-challenge:${holder}`, challenge, 'EX', challengeSeconds);
}

async function takeChallenge(app: App, holder: string): Promise<string | null> {
  return await app.redis.getdel(`passkey-challenge:${holder}`);
}
