import type { User } from '@selvage/core/models/user';

/** Sends with half a minute for Undo: a busy machine may need long for a call. */
export async function withLongUndo<T>(user: User, send: () => Promise<T>): Promise<T> {
  await user.update({ undoMs: 30_000 });
  try {
    return await send();
  } finally {
    await user.update({ undoMs: null });
  }
}
