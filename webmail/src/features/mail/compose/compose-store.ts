import type { InferAnswer } from '@selvage/core/contracts/endpoint';
import type { EmailDto, getDraft } from '@selvage/core/contracts/mail';
import { atom } from 'nanostores';

export type Draft = InferAnswer<typeof getDraft>;

/** What a person wants to write. */
export type ComposeRequest =
  | { kind: 'new' }
  | { kind: 'reply'; email: EmailDto; isToAll: boolean }
  | { kind: 'forward'; email: EmailDto }
  | { kind: 'draft'; draft: Draft };

/** The message that is being written; null when there is none. */
export const composeRequest = atom<ComposeRequest | null>(null);

/** Opens a message to write. While one is open it stays: a second would throw away what was typed. */
export function openCompose(request: ComposeRequest): void {
  if (!composeRequest.get()) composeRequest.set(request);
}

export function closeCompose(): void {
  composeRequest.set(null);
}
