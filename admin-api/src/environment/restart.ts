import { fullName } from '@selvage/core/contracts/full-name';
import { recordAudit } from '@selvage/core/access/audit';
import { type Ctx, inTransaction } from '@selvage/core/context/context';
import type { RestartDto } from '@selvage/core/contracts/environment';
import {
  type HostProcess,
  type HostState,
  programs,
  readHostState,
  readProcesses,
  writeRestart,
} from '@selvage/core/environment/host-state';
import { judgeRestart } from '@selvage/core/environment/judge-restart';
import { AppError } from '@selvage/core/errors';
import { User } from '@selvage/core/models/user';
import type { SignedIn } from '../http/request-context.ts';

/** The progress of the last restart. */
export async function readRestart(ctx: SignedIn): Promise<RestartDto> {
  return await presentRestart(ctx, await readHostState(ctx), await readProcesses(ctx));
}

/**
 * Requests that every process of the host is replaced, one by one. Only one restart runs at a time:
 * a call during a restart returns the running one.
 * @throws 503 when no process has registered itself
 */
export async function askRestart(ctx: SignedIn): Promise<RestartDto> {
  return await inTransaction(ctx, async (tx) => {
    const state = await readHostState(tx, { isLocked: true });
    const processes = await readProcesses(tx);
    if (judgeRestart(state, processes).state === 'running') return await presentRestart(tx, state, processes);
    if (processes.length === 0) throw nothingToRestart();
    const expected = Object.fromEntries(
      programs.map((program) => [program, processes.filter((process) => process.program === program).length]),
    );
    await writeRestart(tx, { askedBy: ctx.actor.userId, expected });
    await recordAudit(tx, {
      action: 'host:restart-asked',
      entity: 'host',
      details: { number: state.restart + 1, processes: processes.length },
    });
    return await presentRestart(tx, await readHostState(tx), processes);
  });
}

export async function presentRestart(
  ctx: Ctx,
  state: HostState,
  processes: readonly HostProcess[],
): Promise<RestartDto> {
  const progress = judgeRestart(state, processes);
  const isSingle = (program: HostProcess['program']) => {
    const [first, ...others] = processes.filter((process) => process.program === program);
    return first !== undefined && others.length === 0 && !first.hasPrimary;
  };
  const problem = state.problem ?? (progress.state === 'failed' ? 'It took too long.' : null);
  return {
    state: progress.state,
    number: state.restart,
    total: progress.total,
    replaced: progress.replaced,
    program: progress.turn,
    asked_at: state.askedAt?.toISOString() ?? null,
    asked_by: state.askedBy === null ? null : await nameOf(ctx, state.askedBy),
    finished_at: state.finishedAt?.toISOString() ?? null,
    problem,
    single: programs.filter(isSingle),
  };
}

/** Reads through the caller's connection: callers that wait for the lock may hold all others. */
async function nameOf(ctx: Ctx, id: string): Promise<string | null> {
  const found = await User.findByPk(id, { attributes: ['fname', 'lname'], transaction: ctx.tx });
  return found ? fullName(found) : null;
}

function nothingToRestart(): AppError {
  return new AppError({
    status: 503,
    code: 'nothing_to_restart',
    publicText: 'No running process of the host is known, so nothing was restarted. Try again in a minute.',
    headers: { 'Retry-After': '30' },
  });
}
