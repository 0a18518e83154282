import forge from 'node-forge';

/** A new DKIM key pair. */
export interface DkimKeyPair {
  /** PKCS#8. A secret, which is always stored sealed. */
  privateKeyPem: string;
  /** SubjectPublicKeyInfo in base64, without line breaks. */
  publicKeyBase64: string;
}

/** Makes an RSA key of 2048 bits (RFC 8301 3.2). */
export async function generateDkimKeyPair(): Promise<DkimKeyPair> {
  const pair = await new Promise<forge.pki.rsa.KeyPair>((resolve, reject) => {
    forge.pki.rsa.generateKeyPair({ bits: 2048 }, (error, keys) => (error ? reject(error) : resolve(keys)));
  });
  const wrapped = forge.pki.wrapRsaPrivateKey(forge.pki.privateKeyToAsn1(pair.privateKey));
  const publicDer = forge.asn1.toDer(forge.pki.publicKeyToAsn1(pair.publicKey)).getBytes();
  return {
    privateKeyPem: forge.pki.privateKeyInfoToPem(wrapped).replaceAll('\r\n', '\n'),
    publicKeyBase64: Buffer.from(publicDer, 'latin1').toString('base64'),
  };
}

/** The text of the TXT record at `<selector>._domainkey.<domain>` (RFC 6376 3.6.1). */
export function dkimRecord(publicKeyBase64: string): string {
  return `v=DKIM1; k=rsa; p=${publicKeyBase64}`;
}
