import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { type Attest, cborBytes, cborList, cborMap } from './test-authenticator.ts';

/** COSE algorithm -7 (ES256) as CBOR. */
const es256 = Buffer.from([0x26]);

/** An authenticator that signs with the new credential itself (WebAuthn 8.2, self attestation). */
export const attestSelf: Attest = ({ authData, clientDataHash, keys }) => {
  const signature = sign('sha256', Buffer.concat([authData, clientDataHash]), keys.privateKey);
  return { fmt: 'packed', attStmt: cborMap({ alg: es256, sig: cborBytes(signature) }) };
};

/**
 * An attestation of Android (WebAuthn 8.4) that is right but for its root, which the attacker has
 * made. The certificate says that a list of revoked certificates is at `listUrl`.
 * @param fmt the format that the statement is given out for
 */
export function attestByAndroid(listUrl: string, fmt = 'android-key'): Attest {
  return ({ authData, clientDataHash, keys }) => {
    const root = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const extensions = [
      extension('551d1f', sequence(sequence(der(0xa0, der(0xa0, der(0x86, Buffer.from(listUrl))))))),
      extension('2b06010401d679020111', keyDescription(clientDataHash)),
    ];
    const signature = sign('sha256', Buffer.concat([authData, clientDataHash]), keys.privateKey);
    const chain = [
      certificate({ subject: 'key', publicKey: keys.publicKey, signingKey: root.privateKey, extensions }),
      certificate({ subject: 'root', publicKey: root.publicKey, signingKey: root.privateKey, extensions: [] }),
    ];
    const x5c = cborList(chain.map(cborBytes));
    return { fmt, attStmt: cborMap({ alg: es256, sig: cborBytes(signature), x5c }) };
  };
}

interface Certificate {
  subject: string;
  publicKey: KeyObject;
  signingKey: KeyObject;
  extensions: Buffer[];
}

/** RFC 5280 4.1: a certificate that `root` has issued. */
function certificate({ subject, publicKey, signingKey, extensions }: Certificate): Buffer {
  const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));
  const day = (offset: number) => time(new Date(Date.now() + offset * 86_400_000));
  const signed = sequence(
    der(0xa0, integer(2)),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    name('root'),
    sequence(day(-1), day(1)),
    name(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    ...(extensions.length > 0 ? [der(0xa3, sequence(...extensions))] : []),
  );
  return sequence(signed, ecdsaWithSha256, der(0x03, Buffer.from([0]), sign('sha256', signed, signingKey)));
}

/** Android's description of a key, which says for which challenge it was made. */
function keyDescription(challenge: Buffer): Buffer {
  const [version, level] = [integer(3), der(0x0a, Buffer.from([1]))];
  return sequence(version, level, version, level, der(0x04, challenge), der(0x04), sequence(), sequence());
}

const extension = (id: string, value: Buffer) => sequence(oid(id), der(0x04, value));
const name = (text: string) => sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(text)))));
const time = (moment: Date) => der(0x18, Buffer.from(moment.toISOString().replace(/[-:T]|\.\d+/g, '')));
const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const integer = (value: number) => der(0x02, Buffer.from([value]));
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));

/** An element of DER with less than 64 KB. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const { length } = Buffer.concat(parts);
  const head = length < 128 ? [length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...head]), ...parts]);
}
