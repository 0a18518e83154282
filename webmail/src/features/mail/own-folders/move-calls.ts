import type { EmailRowDto } from '@selvage/core/contracts/email';
import { moveMessages } from '@selvage/core/contracts/own-folders';
import type { InferAnswer } from '@selvage/core/contracts/endpoint';
import { api } from '../../../lib/api.ts';
import { untilNoneIsLeft } from '../../../lib/changed-in-part.ts';
import { inParts } from '../../../lib/in-parts.ts';
import { expectNotice } from '../../../lib/own-changes.ts';

/** Where messages go: what the call of a move sets. */
export type MovePatch = Pick<EmailRowDto, 'own_folder' | 'archive_status' | 'junk_status' | 'trash_status'>;

/** The moved messages, grouped by their former place. */
export type MovedFrom = InferAnswer<typeof moveMessages>['touched'];

/** The patch that moves a message into one of the person's own folders, or out of them. */
export function movedTo(folderId: string | null): MovePatch {
  return { own_folder: folderId, archive_status: false, junk_status: false, trash_status: false };
}

/** The patch that moves a message to the archive, out of wherever it is. */
export const toArchive: MovePatch = { ...movedTo(null), archive_status: true };

interface Asked {
  ids: string[];
  patch: MovePatch;
  isWhole: boolean;
  as: string | null;
}

async function ask({ ids, patch: { own_folder, ...flags }, isWhole, as }: Asked) {
  const forget = expectNotice();
  try {
    const body = { email_id: ids, folder_id: own_folder, ...flags, ...(isWhole && { whole_threads: true }) };
    const answer = await api(moveMessages, { body, as });
    // The server announces no change that changes nothing
    if (answer.changed === 0) forget();
    return answer;
  } catch (error) {
    forget();
    throw error;
  }
}

/** Moves messages. */
export async function moveRows(ids: string[], patch: MovePatch, as: string | null): Promise<void> {
  await inParts(ids, (part) => ask({ ids: part, patch, isWhole: false, as }));
}

/** Moves the conversations that rows stand for. Returns where their messages were before. */
export async function moveThreads(ids: string[], patch: MovePatch, as: string | null): Promise<{ moved: MovedFrom }> {
  const moved: MovedFrom = [];
  return await untilNoneIsLeft({ moved }, moved, async () => {
    const { touched, is_left } = await ask({ ids, patch, isWhole: true, as });
    moved.push(...touched);
    return { isLeft: is_left };
  });
}

/**
 * Moves messages back to where they were. If one place refuses, such as a folder that was deleted
 * meanwhile, the messages of the other places still go back.
 * @throws the first such refusal
 */
export async function moveBack(moved: MovedFrom, as: string | null): Promise<void> {
  const failures: unknown[] = [];
  for (const { from, email_ids } of moved) {
    const { folder_id: own_folder, ...flags } = from;
    await moveRows(email_ids, { own_folder, ...flags }, as).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}
