import { addressProblem } from '@selvage/core/mail/address-rules';

/** The addresses in what somebody typed or pasted: lists, and `Name <address>` as address books copy it. Spaces go. */
export function addressesIn(text: string): string[] {
  return text
    .split(/[,;\n\r\t]+/)
    .map((part) => (/<([^<>]*)>\s*$/.exec(part)?.[1] ?? part).replace(/\s+/g, ''))
    .filter(Boolean);
}

export interface Added {
  addresses: string[];
  /** What could not become a chip, left for the person to mend. */
  rest: string;
  problem: string | null;
}

/** Adds what was typed to the chips; twice the same is once. */
export function addRecipients(existing: string[], text: string): Added {
  const addresses = [...existing];
  const known = new Set(existing.map((address) => address.toLowerCase()));
  const rest: string[] = [];
  let problem: string | null = null;
  for (const address of addressesIn(text)) {
    const found = addressProblem(address);
    if (found) {
      rest.push(address);
      problem ??= found;
    } else if (!known.has(address.toLowerCase())) {
      known.add(address.toLowerCase());
      addresses.push(address);
    }
  }
  return { addresses, rest: rest.join(', '), problem };
}
