import type { LogWriter } from '@selvage/core/log';
import type { LogFile } from './log-file.ts';

/**
 * Writes the messages of a program's primary into the program's log, in the format of its other
 * lines. The programs' own logger would need additional memory in the supervisor.
 */
export function createProgramLog(program: string, file: LogFile): LogWriter {
  const write =
    (level: keyof LogWriter) =>
    (msg: string, fields: Record<string, unknown> = {}): void => {
      const { error, ...facts } = fields;
      const { pid } = process;
      const line = { level, time: new Date().toISOString(), process: program, primary: pid, ...facts, msg };
      file.write(`${JSON.stringify(error === undefined ? line : { ...line, error: presentError(error) })}\n`);
    };
  return { info: write('info'), warn: write('warn'), error: write('error') };
}

function presentError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { message, stack } = error;
  return { message, stack, code: (error as NodeJS.ErrnoException).code };
}
