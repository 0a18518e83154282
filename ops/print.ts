// The reader of the output may be gone (a closed terminal, `| head`). That must not end the work.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

/** Prints a line for the person at the terminal; it does not go into the log. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

export function printError(line: string): void {
  process.stderr.write(`${line}\n`);
}
