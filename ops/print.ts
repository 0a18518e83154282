// Whoever read this may be gone (a closed terminal, `| head`): that must not end the work itself.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

/** Lines for the person at the terminal, as opposed to the log. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

export function printError(line: string): void {
  process.stderr.write(`${line}\n`);
}
