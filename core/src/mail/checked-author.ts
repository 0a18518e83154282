import { createRequire } from 'node:module';
import { assertLibrary } from '../assert-library.ts';
import { asciiDomain, parseAddressList } from './addresses.ts';
import { maxFromLength } from './count-authors.ts';
import { decodeBinary } from './decode-bytes.ts';

/*
 * mailauth reads a header with parsers of its own. It joins each line that is no field to the field
 * before it, and reads a malformed list of addresses in another way than the parsers whose results
 * readers see. Then DMARC would check another domain than the one that readers see, or none.
 */

interface Field {
  key?: string;
  line: Buffer;
}

interface Mailbox {
  address?: string;
  group?: Mailbox[];
}

const ofVerifier = createRequire(createRequire(import.meta.url).resolve('mailauth/lib/dkim/dkim-verifier.js'));
const { parseHeaders } = ofVerifier('../tools.js') as { parseHeaders(header: Buffer): { parsed: Field[] } };
const readAddresses = ofVerifier('nodemailer/lib/addressparser') as (text: string) => Mailbox[];
const { getAuthorDomain } = ofVerifier('../dmarc/author-domain.js') as {
  /** Answers the domain that DMARC checks, if there is exactly one. */
  getAuthorDomain(addresses: readonly string[], fields: number): { authorDomain?: string };
};

assertLibrary({
  name: 'mailauth',
  version: '7.1.0',
  from: import.meta.url,
  members: {
    parseHeaders: typeof parseHeaders === 'function',
    addressparser: typeof readAddresses === 'function',
    getAuthorDomain: typeof getAuthorDomain === 'function',
  },
});

/**
 * Whether DMARC would check another domain than that of the address which readers see, or none. A
 * field that shows no address, or one with an IP address for its domain, has no domain to check.
 * @param header as binary text
 * @param from the value of its From field, without folds
 */
export function isAuthorMisread(header: string, from: string): boolean {
  const shown = parseAddressList(decodeBinary(from))
    .map(({ address }) => address)
    .find((address) => address.includes('@'));
  if (shown === undefined) return false;
  const domain = asciiDomain(shown.slice(shown.lastIndexOf('@') + 1).replace(/\.$/, ''));
  return domain !== null && checkedDomain(header) !== domain;
}

/** The domain that DMARC checks; null when there is none. */
function checkedDomain(header: string): string | null {
  const fields = parseHeaders(Buffer.from(header, 'latin1')).parsed.filter(({ key }) => key === 'from');
  // No author needs so much, and the parser takes long for it
  if (fields.some(({ line }) => line.length > 2 * maxFromLength)) return null;
  return getAuthorDomain(fields.flatMap(addressesOf), fields.length).authorDomain ?? null;
}

function addressesOf({ line }: Field): string[] {
  const text = line.toString();
  const listed = readAddresses(text.slice(text.indexOf(':') + 1).trim());
  return listed.flatMap((entry) => entry.group ?? [entry]).flatMap(({ address }) => address || []);
}
