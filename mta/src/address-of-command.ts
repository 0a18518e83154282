/**
 * The address in a MAIL or RCPT command that can't be read, for the ledger: what follows the colon,
 * without brackets.
 */
export function addressOfCommand(command: string): string {
  const colon = command.indexOf(':');
  return (colon === -1 ? '' : command.slice(colon + 1))
    .replace(/[^\x21-\x7e]+/g, ' ')
    .replace(/^ ?<|>.*$/g, '')
    .trim()
    .slice(0, 320);
}
