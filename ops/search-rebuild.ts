/** `./ops/search-rebuild`: builds search indexes anew; that script has the details. */
import { parseArgs } from 'node:util';
import { type Ctx, systemContext } from '@selvage/core/context/context';
import { readRows } from '@selvage/core/database/run-sql';
import { OperatorError } from '@selvage/core/operator-error';
import { type Config, loadConfig } from '@selvage/core/process/config';
import { mailboxesAfter } from '@selvage/core/search/keep-indexes';
import { readAllFiles } from '@selvage/core/search/read-files';
import { updateIndex } from '@selvage/core/search/update-index';
import { startApp, stopApp } from '@selvage/core/startup/start-app';
import { hostEnvironment, withDatabase } from './host-environment.ts';
import { print } from './print.ts';
import { runCommand } from './run-command.ts';

/** How often the progress of a large mailbox is printed. */
const progressMs = 5000;

async function rebuild(config: Config, address: string | undefined): Promise<number> {
  const app = await startApp(config, { role: 'workers' });
  const ctx = systemContext(app);
  let [mailboxes, messages] = [0, 0];
  for await (const userId of address === undefined ? everyMailbox(ctx) : [await mailboxOf(ctx, address)]) {
    await app.search.run('clear', { userId });
    messages += await build(ctx, userId);
    await readAllFiles(ctx, userId);
    mailboxes += 1;
  }
  await stopApp(app);
  print(`messages indexed: ${messages}, mailboxes: ${mailboxes}`);
  return 0;
}

async function build(ctx: Ctx, userId: string): Promise<number> {
  for (;;) {
    const { isCurrent, state, total } = await updateIndex(ctx, userId, { deadline: performance.now() + progressMs });
    if (isCurrent) return state.entries;
    print(`mailbox ${userId}: ${state.entries} of ${total}`);
  }
}

async function* everyMailbox(ctx: Ctx): AsyncGenerator<string> {
  let last: string | undefined = '0';
  while (last !== undefined) {
    const people = await mailboxesAfter(ctx, last, 100);
    yield* people;
    last = people.at(-1);
  }
}

async function mailboxOf(ctx: Ctx, address: string): Promise<string> {
  const [user] = await readRows<{ id: string }>(ctx, 'SELECT id FROM users WHERE email = ? AND erased_at IS NULL', [
    address.toLowerCase(),
  ]);
  if (!user) throw new OperatorError(`there is no mailbox ${address}`);
  return String(user.id);
}

await runCommand('search-rebuild', async () => {
  const [address, ...others] = parseArgs({ allowPositionals: true }).positionals;
  if (others.length > 0) throw new OperatorError('name one address at most: ./ops/search-rebuild ADDRESS');
  const env = hostEnvironment();
  return await withDatabase(env, { needsHost: true, writesFiles: true }, () => rebuild(loadConfig(env), address));
});
