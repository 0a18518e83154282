/**
 * `./ops/reset-password`: prints a link with which a person sets a new password; that script has
 * the details.
 */
import { parseArgs } from 'node:util';
import { systemContext } from '@selvage/core/context/context';
import { makeResetLink, type PasswordReset } from '@selvage/core/startup/reset-password';
import { OperatorError } from '@selvage/core/operator-error';
import { type Config, loadConfig } from '@selvage/core/process/config';
import { startApp, stopApp } from '@selvage/core/startup/start-app';
import { hostEnvironment, withDatabase } from './host-environment.ts';
import { print } from './print.ts';
import { runCommand } from './run-command.ts';

async function reset(config: Config, wanted: PasswordReset): Promise<number> {
  const app = await startApp(config, { role: 'workers' });
  try {
    const { email, link, isTwoFactorOn, wasTurnedOff } = await makeResetLink(systemContext(app), wanted);
    print(`this link sets a new password for ${email}, once, within 24 hours:`);
    print(`  ${link}`);
    if (wasTurnedOff) print('two-factor is off. The old password no longer works, and all sessions have ended');
    if (isTwoFactorOn) {
      print('the login then asks for a second factor. If that is lost as well: the same with --two-factor-off');
    }
    return 0;
  } finally {
    await stopApp(app);
  }
}

await runCommand('reset-password', async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'two-factor-off': { type: 'boolean', default: false } },
  });
  const [address, ...others] = positionals;
  if (address === undefined || others.length > 0) {
    throw new OperatorError('name one address: ./ops/reset-password ADDRESS');
  }
  const env = hostEnvironment();
  const wanted = { address, turnsTwoFactorOff: values['two-factor-off'] };
  // The person is told by mail, whose bytes become files of the host
  const need = { needsHost: true, writesFiles: wanted.turnsTwoFactorOff };
  return await withDatabase(env, need, () => reset(loadConfig(env), wanted));
});
