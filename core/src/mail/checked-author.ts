import { createRequire } from 'node:module';
import { assertLibrary } from '../assert-library.ts';
import { asciiDomain, parseAddressList } from './addresses.ts';
import { decodeBinary } from './decode-bytes.ts';

/*
 * mailauth reads the From field with a parser of its own, which may read a malformed field in
 * another way than the parser whose result readers see. Then DMARC would check another domain than
 * the one that readers see, or none.
 */

interface Mailbox {
  address?: string;
  group?: Mailbox[];
}

const ofVerifier = createRequire(createRequire(import.meta.url).resolve('mailauth/lib/dkim/dkim-verifier.js'));
const readAddresses = ofVerifier('nodemailer/lib/addressparser') as (text: string) => Mailbox[];
const { getAuthorDomain } = ofVerifier('../dmarc/author-domain.js') as {
  /** Answers the domain that DMARC checks, if there is exactly one. */
  getAuthorDomain(addresses: readonly string[]): { authorDomain?: string };
};

assertLibrary({
  name: 'mailauth',
  version: '7.1.0',
  from: import.meta.url,
  members: {
    addressparser: typeof readAddresses === 'function',
    getAuthorDomain: typeof getAuthorDomain === 'function',
  },
});

/**
 * Whether DMARC would check another domain than that of the address which readers see, or none. A
 * field that shows no address, or one with an IP address for its domain, has no domain to check.
 * @param from the value of the From field as binary text, with its folds
 */
export function isAuthorMisread(from: string): boolean {
  const shown = parseAddressList(decodeBinary(from.replace(/\r?\n/g, '')))
    .map(({ address }) => address)
    .find((address) => address.includes('@'));
  if (shown === undefined) return false;
  const domain = asciiDomain(shown.slice(shown.lastIndexOf('@') + 1).replace(/\.$/, ''));
  return domain !== null && getAuthorDomain(addressesOf(from)).authorDomain !== domain;
}

/** The addresses that mailauth reads. It takes the bytes of the field for UTF-8. */
function addressesOf(from: string): string[] {
  const listed = readAddresses(Buffer.from(from, 'latin1').toString().trim());
  return listed.flatMap((entry) => entry.group ?? [entry]).flatMap(({ address }) => address || []);
}
