import type { InferBody } from '@selvage/core/contracts/endpoint';
import type { changeManyUsers, ManyUsersDto } from '@selvage/core/contracts/many-users';
import { AppError } from '@selvage/core/errors';
import type { SignedIn } from '../http/request-context.ts';
import { changeUser } from './update-user.ts';

type Body = InferBody<typeof changeManyUsers>;

/**
 * Changes people one after the other, each in a separate transaction, so that a person whom the
 * caller may not change does not stop the others.
 * @param tell closes the live connections of sessions that ended
 * @throws 401 `token_outdated` when the caller's rights change meanwhile; 403 `confirm_first`
 */
export async function changeMany(
  ctx: SignedIn,
  { ids, ...change }: Body,
  tell: (ended: string[]) => void,
): Promise<ManyUsersDto> {
  const result: ManyUsersDto = { changed: [], refused: [] };
  for (const id of new Set(ids)) {
    const refusal = await tryChange(ctx, id, { change, tell });
    if (refusal === null) result.changed.push(id);
    else result.refused.push({ _id: id, message: refusal });
  }
  return result;
}

/** @returns why the person was not changed; null when they were */
async function tryChange(
  ctx: SignedIn,
  id: string,
  { change, tell }: { change: Omit<Body, 'ids'>; tell: (ended: string[]) => void },
): Promise<string | null> {
  try {
    tell((await changeUser(ctx, id, { body: change, files: [] })).ended);
    return null;
  } catch (error) {
    // The caller confirms once, or gets one new token, for all people: each of them would be
    // refused for the same reason
    if (!(error instanceof AppError) || error.code === 'confirm_first' || error.status === 401) throw error;
    if (error.status < 500) return error.publicText;
    throw error;
  }
}
