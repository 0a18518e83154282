import type { AuthenticationResults } from '../mail/authenticate-message.ts';
import type { Placement } from '../models/mailbox-entry.ts';

/*
 * The facts about a message that its story needs besides the envelope. They are stored in its row
 * of the ledger, so that the story is available as long as the row, even for a message that was
 * refused or that its owner has deleted for good. They are JSON without names, about 150 characters
 * for most mail, since a ledger has many millions of rows:
 *
 *   a: [helo, address, protocol, tls]
 *   c: [[spf, domain], [[dkim, domain], ...], [dmarc, policy]]
 *   p: [sorted by, folder]
 */

/** How a message came to this host. */
export interface Arrival {
  /** The name in the HELO or EHLO of the sending server; null for mail of people of this host. */
  helo: string | null;
  /** Address of the sending server; null for mail of people of this host. */
  address: string | null;
  /** `ESMTPS`, `HTTPS`; a final S means encryption. */
  protocol: string;
  isEncrypted: boolean;
  /** TLS version and cipher, if they are known. */
  tls: string | null;
}

/** The results of the checks of the sender. */
export interface Checks {
  spf: Pick<AuthenticationResults['spf'], 'result' | 'domain'>;
  dkim: { result: string; domain: string }[];
  dmarc: Pick<AuthenticationResults['dmarc'], 'result' | 'policy'>;
}

/** The facts about a message. */
export interface Facts {
  arrival: Arrival | null;
  /** Null for mail of people of this host, and before the checks were made. */
  checks: Checks | null;
  /** Which rule sorted it, and into which folder; null for the inbox. */
  placement: Pick<Placement, 'by' | 'folder'> | null;
}

type Encoded = {
  a?: [string | null, string | null, string, string | null];
  c?: [[string, string | null], [string, string][], [string, Checks['dmarc']['policy']]];
  p?: [Placement['by'], Placement['folder']];
};

/** The most characters of the column. */
const longest = 1000;
const mostSignatures = 5;

/** An arrival, whose encryption follows from its protocol (RFC 3848). */
export function arrivalBy(known: Omit<Arrival, 'isEncrypted'>): Arrival {
  return { ...known, isEncrypted: known.tls !== null || /SA?$/.test(known.protocol) };
}

/**
 * The facts in the form that a row stores; null when there are none. Peers choose most of these
 * texts. If they are too long, the last signatures are left out, and then the names are shortened.
 */
export function writeFacts(facts: Facts): string | null {
  if (facts.arrival === null && facts.checks === null && facts.placement === null) return null;
  for (let signatures = mostSignatures; signatures >= 0; signatures -= 1) {
    const text = JSON.stringify(encode(facts, { signatures, longestName: 255 }));
    if (text.length <= longest) return text;
  }
  return JSON.stringify(encode(facts, { signatures: 0, longestName: 40 }));
}

/** Reads the output of `writeFacts`. */
export function readFacts(text: string): Facts {
  const { a, c, p } = JSON.parse(text) as Encoded;
  return {
    arrival: a ? arrivalBy({ helo: a[0], address: a[1], protocol: a[2], tls: a[3] }) : null,
    checks: c
      ? {
          spf: { result: c[0][0], domain: c[0][1] },
          dkim: c[1].map(([result, domain]) => ({ result, domain })),
          dmarc: { result: c[2][0], policy: c[2][1] },
        }
      : null,
    placement: p ? { by: p[0], folder: p[1] } : null,
  };
}

function encode(
  { arrival, checks, placement }: Facts,
  { signatures, longestName }: { signatures: number; longestName: number },
): Encoded {
  const name = (text: string) =>
    text
      .replace(/[\p{Cc}"\\]/gu, '')
      .slice(0, longestName)
      .toWellFormed();
  const optional = (text: string | null) => (text === null ? null : name(text));
  const { spf, dkim = [], dmarc } = checks ?? {};
  return {
    ...(arrival && {
      a: [optional(arrival.helo), optional(arrival.address), name(arrival.protocol), optional(arrival.tls)],
    }),
    ...(spf &&
      dmarc && {
        c: [
          [spf.result, optional(spf.domain)],
          dkim.slice(0, signatures).map(({ result, domain }) => [result, name(domain)]),
          [dmarc.result, dmarc.policy],
        ],
      }),
    ...(placement && { p: [placement.by, placement.folder] }),
  };
}
