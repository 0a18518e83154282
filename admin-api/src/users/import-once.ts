import { type ImportDto, importDto } from '@selvage/core/contracts/many-users';
import { AppError } from '@selvage/core/errors';
import { log } from '@selvage/core/log';
import type { SignedIn } from '../http/request-context.ts';

/** What tells the imports of a caller apart. */
interface ImportName {
  importId: string;
  companyId: string;
  fileHash: string;
}

const keptSeconds = 600;
const purpose = 'import-answer';
const running = 'running';

/**
 * Runs an import once for each id, company and file of its caller. For ten minutes, repeated calls
 * get its answer again: only that has the passwords of the new people, and a connection can end
 * before it arrives. Redis keeps it sealed.
 * @throws 409 `import_running`, and what `run` throws; then the import can be tried anew
 */
export async function importOnce(
  ctx: SignedIn,
  { importId, companyId, fileHash }: ImportName,
  run: () => Promise<ImportDto>,
): Promise<ImportDto> {
  const { redis, secrets, config } = ctx.app;
  // With the caller's id, so that no other person gets the answer
  const key = `import-answer:${ctx.actor.userId}:${importId}:${companyId}:${fileHash}`;
  // An import takes less time than this. If its process dies, the id is free afterwards
  const claimSeconds = config.requestTimeoutSeconds * 2;
  const claimed = await orGoOn(redis.set(key, running, 'EX', claimSeconds, 'NX'));
  if (claimed === null) return openAnswer(ctx, await redis.get(key));
  try {
    const answer = await run();
    await orGoOn(redis.set(key, secrets.seal(JSON.stringify(answer), purpose), 'EX', keptSeconds));
    return answer;
  } catch (error) {
    await orGoOn(redis.del(key));
    throw error;
  }
}

function openAnswer({ app }: SignedIn, kept: string | null): ImportDto {
  // A claim may have run out since it was found
  if (kept === null || kept === running) throw stillRunning();
  return importDto.parse(JSON.parse(app.secrets.open(kept, purpose)));
}

function stillRunning(): AppError {
  return new AppError({
    status: 409,
    code: 'import_running',
    publicText: 'This import is still running. Ask again in a moment.',
    headers: { 'Retry-After': '2' },
  });
}

/** The result of a command, or undefined when Redis fails: the import goes on without it. */
async function orGoOn<T>(command: Promise<T>): Promise<T | undefined> {
  return await command.catch((error: unknown) => {
    log.warn('the answer of an import could not be kept', { error });
    return undefined;
  });
}
