import { parseAddress } from '@selvage/core/mail/addresses';
import { messageTooLarge, type Reply } from './reply.ts';

/** Parameters of MAIL or RCPT by their names in capitals; null for one without a value. */
export type EsmtpParameters = Readonly<Record<string, string | null>>;

/** What a door offers beyond the extensions that both doors have: SIZE, 8BITMIME and SMTPUTF8. */
export interface Offer {
  /** Announced with SIZE. */
  maxBytes: number;
  /** The door offers AUTH, and with it the parameter of that name (RFC 4954 5). */
  hasAuth: boolean;
}

type Check = (value: string | null, offer: Offer) => Reply | null;

const mailChecks: Record<string, Check> = {
  SIZE: checkSize,
  // RFC 6152 2
  BODY: (value) => (/^(?:7BIT|8BITMIME)$/i.test(value ?? '') ? null : badValue('BODY must be 7BIT or 8BITMIME')),
  // RFC 6531 3.4
  SMTPUTF8: (value) => (value === null ? null : badValue('SMTPUTF8 takes no value')),
  AUTH: (value, { hasAuth }) => (hasAuth ? checkAuth(value) : unknownParameter('AUTH')),
};

/**
 * The reply that refuses the parameters of MAIL, or null. RFC 5321 4.1.1.11: a parameter of an
 * extension that is not offered is refused, so that the sender never counts on it.
 */
export function checkMailParameters(parameters: EsmtpParameters, offer: Offer): Reply | null {
  for (const [name, value] of Object.entries(parameters)) {
    const check = Object.hasOwn(mailChecks, name) ? mailChecks[name] : undefined;
    const refused = check ? check(value, offer) : unknownParameter(name);
    if (refused) return refused;
  }
  return null;
}

/**
 * The reply that refuses the parameters of RCPT, or null. This host offers no extension with a
 * parameter for RCPT.
 */
export function checkRcptParameters(parameters: EsmtpParameters): Reply | null {
  const [name] = Object.keys(parameters);
  return name === undefined ? null : unknownParameter(name);
}

/** RFC 1870 3: one to twenty digits. */
function checkSize(value: string | null, { maxBytes }: Offer): Reply | null {
  if (value === null || !/^\d{1,20}$/.test(value)) return badValue('SIZE must be a number of bytes');
  return Number(value) > maxBytes ? messageTooLarge : null;
}

/** RFC 4954 5: a mailbox, or `<>` for one that is not known. */
function checkAuth(value: string | null): Reply | null {
  return value === '<>' || parseAddress(value ?? '') ? null : badValue('AUTH must be an address or <>');
}

function unknownParameter(name: string): Reply {
  const shown = name.replace(/[^A-Z0-9-]/g, '?').slice(0, 40);
  return { ...badValue(`The parameter ${shown} is not supported`), code: 555 };
}

function badValue(text: string): Reply {
  return { code: 501, enhancedCode: '5.5.4', text, reason: 'malformed_message' };
}
