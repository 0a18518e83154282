import { isAscii } from 'node:buffer';
import { parseAddress } from '@selvage/core/mail/addresses';
import { subscriberOf } from '@selvage/core/access/network-of';
import { consume } from '@selvage/core/access/rate-limit';
import type { App } from '@selvage/core/context/app';
import { checkMailParameters, type EsmtpParameters } from '../esmtp-parameters.ts';
import type { Reply } from '../reply.ts';

/** What MAIL FROM says. */
export interface SenderCommand {
  /** Empty for the null sender. */
  address: string;
  parameters: EsmtpParameters;
}

const badSender: Reply = {
  code: 553,
  enhancedCode: '5.1.7',
  text: 'The sender is not a valid address',
  reason: 'malformed_message',
};
const tooFast: Reply = {
  code: 450,
  enhancedCode: '4.7.1',
  text: 'Too many messages from your IP address, try again later',
  reason: 'rate_limited',
};

/** RFC 6531 3.5 */
const undeclaredUnicode: Reply = {
  code: 553,
  enhancedCode: '5.6.7',
  text: 'A sender address that is not ASCII needs the parameter SMTPUTF8',
  reason: 'malformed_message',
};

/** Checks the syntax and the parameters of MAIL FROM. */
export function checkMailFrom({ address, parameters }: SenderCommand, maxBytes: number): Reply | null {
  const refused = checkMailParameters(parameters, { maxBytes, hasAuth: false });
  if (refused) return refused;
  if (address !== '' && parseAddress(address) === null) return badSender;
  return isAscii(Buffer.from(address)) || 'SMTPUTF8' in parameters ? null : undeclaredUnicode;
}

/**
 * Counts a message against the address that sends it. Programs on this machine are not counted:
 * they belong to the operator, and the limit would also stop mail from the operator's web site.
 */
export async function countMessage(app: App, ip: string, isLocal: boolean): Promise<Reply | null> {
  const limit = app.config.smtpRatePerMinutePerAddress;
  if (limit === 0 || isLocal) return null;
  const { allowed } = await consume(app.redis, `smtp-in:${subscriberOf(ip)}`, { limit, windowSeconds: 60 });
  return allowed ? null : tooFast;
}
