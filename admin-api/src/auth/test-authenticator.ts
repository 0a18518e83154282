import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** What a browser at `origin` tells its authenticator. */
interface Request {
  origin: string;
  rpId: string;
  challenge: string;
}

interface Answer extends Record<string, unknown> {
  response: object;
}

/** An attestation statement, and what it is about. */
export interface Attestation {
  fmt: string;
  /** CBOR. */
  attStmt: Buffer;
}

/** Attests a new credential whose keys are given. */
export type Attest = (facts: {
  authData: Buffer;
  clientDataHash: Buffer;
  keys: { publicKey: KeyObject; privateKey: KeyObject };
}) => Attestation;

const attestNothing: Attest = () => ({ fmt: 'none', attStmt: cborMap({}) });

/** A security key in software: ES256, user presence, no attestation unless it is given one. */
export class TestAuthenticator {
  readonly credentialId: Buffer;
  /** The counter in the next answer; 0 for a device that does not count. */
  counter = 0;
  /** Whether it checks the person, by a fingerprint or a PIN. */
  isVerifying = false;
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  constructor(credentialId: Buffer = randomBytes(32)) {
    this.credentialId = credentialId;
  }

  /** As `navigator.credentials.create` answers, in its JSON form. */
  create(request: Request, attest: Attest = attestNothing): Answer {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.credentialId.length);
    const credential = Buffer.concat([Buffer.alloc(16), length, this.credentialId, this.#coseKey()]);
    const authData = Buffer.concat([this.#header(request, 0x41), credential]);
    const data = clientData('webauthn.create', request);
    const clientDataHash = createHash('sha256').update(data).digest();
    const { fmt, attStmt } = attest({ authData, clientDataHash, keys: this.#keys });
    return this.#answer({
      clientDataJSON: encode(data),
      attestationObject: encode(cborMap({ fmt: cborText(fmt), attStmt, authData: cborBytes(authData) })),
      transports: ['usb'],
    });
  }

  /** As `navigator.credentials.get` answers, in its JSON form. */
  get(request: Request): Answer {
    const authData = this.#header(request, this.isVerifying ? 0x05 : 0x01);
    const data = clientData('webauthn.get', request);
    const signed = Buffer.concat([authData, createHash('sha256').update(data).digest()]);
    return this.#answer({
      clientDataJSON: encode(data),
      authenticatorData: encode(authData),
      signature: encode(sign('sha256', signed, this.#keys.privateKey)),
    });
  }

  #answer(response: object): Answer {
    const id = encode(this.credentialId);
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  #header({ rpId }: Request, flags: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([flags]), counter]);
  }

  /** RFC 9052: kty 2 (EC2), alg -7 (ES256), crv 1 (P-256), x, y. */
  #coseKey(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    return Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
      cborBytes(Buffer.from(x, 'base64url')),
      Buffer.from([0x22]),
      cborBytes(Buffer.from(y, 'base64url')),
    ]);
  }
}

function clientData(type: string, { origin, challenge }: Request): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

/** A map of less than 24 entries whose values are CBOR. */
export function cborMap(entries: Record<string, Buffer>): Buffer {
  const parts = Object.entries(entries).flatMap(([name, value]) => [cborText(name), value]);
  return Buffer.concat([Buffer.from([0xa0 | (parts.length / 2)]), ...parts]);
}

/** A list of less than 24 items that are CBOR. */
export function cborList(items: readonly Buffer[]): Buffer {
  return Buffer.concat([Buffer.from([0x80 | items.length]), ...items]);
}

function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 | text.length]), Buffer.from(text)]);
}

export function cborBytes(bytes: Buffer): Buffer {
  const head = Buffer.from([0x59, bytes.length >> 8, bytes.length & 0xff]);
  return Buffer.concat([bytes.length < 256 ? Buffer.from([0x58, bytes.length]) : head, bytes]);
}

function encode(bytes: Buffer): string {
  return bytes.toString('base64url');
}
