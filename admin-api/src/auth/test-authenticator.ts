import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** What a browser at `origin` tells its authenticator. */
interface Request {
  origin: string;
  rpId: string;
  challenge: string;
}

/** A security key in software: ES256, user presence, no attestation. */
export class TestAuthenticator {
  readonly credentialId = randomBytes(32);
  /** The counter in the next answer; 0 for a device that does not count. */
  counter = 0;
  /** Whether it checks the person, by a fingerprint or a PIN. */
  isVerifying = false;
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  /** As `navigator.credentials.create` answers, in its JSON form. */
  create(request: Request): Record<string, unknown> {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.credentialId.length);
    const credential = Buffer.concat([Buffer.alloc(16), length, this.credentialId, this.#coseKey()]);
    const authData = Buffer.concat([this.#header(request, 0x41), credential]);
    const attestationObject = Buffer.concat([
      Buffer.from([0xa3]),
      cborText('fmt'),
      cborText('none'),
      cborText('attStmt'),
      Buffer.from([0xa0]),
      cborText('authData'),
      cborBytes(authData),
    ]);
    return this.#answer({
      clientDataJSON: encode(clientData('webauthn.create', request)),
      attestationObject: encode(attestationObject),
      transports: ['usb'],
    });
  }

  /** As `navigator.credentials.get` answers, in its JSON form. */
  get(request: Request): Record<string, unknown> {
    const authData = this.#header(request, this.isVerifying ? 0x05 : 0x01);
    const data = clientData('webauthn.get', request);
    const signed = Buffer.concat([authData, createHash('sha256').update(data).digest()]);
    return this.#answer({
      clientDataJSON: encode(data),
      authenticatorData: encode(authData),
      signature: encode(sign('sha256', signed, this.#keys.privateKey)),
    });
  }

  #answer(response: object): Record<string, unknown> {
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

function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 | text.length]), Buffer.from(text)]);
}

function cborBytes(bytes: Buffer): Buffer {
  const head = Buffer.from([0x59, bytes.length >> 8, bytes.length & 0xff]);
  return Buffer.concat([bytes.length < 256 ? Buffer.from([0x58, bytes.length]) : head, bytes]);
}

function encode(bytes: Buffer): string {
  return bytes.toString('base64url');
}
