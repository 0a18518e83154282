import { type HarakaAddress, type HarakaConnection, insideOf } from './haraka.ts';

/* Senders that Haraka refuses although real servers write them. */

/** A MAIL path whose local part has only characters of an atom and dots, in any order. */
const oddlyDotted = /^(from:\s*<)((?:[\w!#$%&'*+/=?^`{|}~-]*\.)+[\w!#$%&'*+/=?^`{|}~-]*)(@[^<>\s@]+>)/i;

/**
 * Old addresses of Japanese mobile phones have two dots in a row, or a dot at one end of the local
 * part. Their servers send them unquoted, and Haraka refuses them. This function puts such a local
 * part in quotes, as RFC 5321 4.1.2 demands, before Haraka parses it.
 */
export function quoteOddSenders(connection: HarakaConnection): void {
  const open = insideOf(connection);
  const answerMail = open.cmd_mail.bind(connection);
  open.cmd_mail = (line) => {
    const [, , local = ''] = oddlyDotted.exec(line) ?? [];
    const isOdd = /^\.|\.\.|\.$/.test(local);
    answerMail(isOdd ? line.replace(oddlyDotted, '$1"$2"$3') : line);
  };
}

/** A MAIL path whose domain is ASCII and has an underscore. */
const underscored = /^(from:\s*<[^>]*@)([a-z0-9.-]*_[a-z0-9._-]*)(?=>)/i;
const underscoredSenders = new WeakMap<HarakaConnection, string>();

/**
 * Some bulk senders use bounce addresses whose domain has an underscore, which Haraka refuses. This
 * function replaces each underscore by a letter before Haraka parses the address. `restoreSender`
 * returns the original domain.
 */
export function takeUnderscores(connection: HarakaConnection): void {
  const open = insideOf(connection);
  const answerMail = open.cmd_mail.bind(connection);
  open.cmd_mail = (line) => {
    const [, path, domain] = underscored.exec(line) ?? [];
    if (path === undefined || domain === undefined) {
      underscoredSenders.delete(connection);
      return answerMail(line);
    }
    underscoredSenders.set(connection, domain);
    answerMail(line.replace(underscored, `$1${domain.replaceAll('_', 'x')}`));
  };
}

/** The sender of MAIL, with its domain as the peer wrote it. */
export function restoreSender(connection: HarakaConnection, sender: HarakaAddress): string {
  const domain = underscoredSenders.get(connection);
  return domain === undefined ? sender.address : `${sender.user}@${domain}`;
}
