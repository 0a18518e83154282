import { configureLog } from '@selvage/core/log';
import { describeFailure } from '@selvage/core/operator-error';
import { keepThreadPoolAwake } from '@selvage/core/process/keep-thread-pool-awake';
import { printError } from './print.ts';

/**
 * Runs a command of the operator and ends this process: with the status that the work returns, or
 * with one sentence and status 2.
 */
export async function runCommand(name: string, work: () => Promise<number>): Promise<never> {
  configureLog({ level: 'silent', process: name });
  keepThreadPoolAwake();
  try {
    process.exitCode = await work();
  } catch (error) {
    printError(`selvage: ${isWrongUse(error) ? describeWrongUse(name, error) : describeFailure(error)}`);
    process.exitCode = 2;
  }
  // An open socket must not keep the process alive
  process.exit();
}

/** Whether Node has refused the arguments of the command. */
function isWrongUse(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}

/** Node's message about the arguments, without its advice on how to quote. */
function describeWrongUse(name: string, { message }: Error): string {
  const [problem] = message.split(/\. To specify|\. This command|\n/);
  return `${problem}; see ./ops/${name} --help`;
}
