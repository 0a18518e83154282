import type { User } from '@selvage/core/models/user';

/** Sends with half a minute for Undo, since a call may take long on a busy machine. */
export async function withLongUndo<T>(user: User, send: () => Promise<T>): Promise<T> {
  await user.update({ undoMs: 30_000 });
  try {
    return await send();
  } finally {
    await user.update({ undoMs: null });
  }
}
