import type { EmailDto, getDraft } from '@selvage/core/contracts/mail';
import type { InferAnswer } from '@selvage/core/contracts/endpoint';
import { createContext, useContext } from 'react';

export type Draft = InferAnswer<typeof getDraft>;

/** What somebody wants to write. */
export type ComposeRequest =
  | { kind: 'new' }
  | { kind: 'reply'; email: EmailDto; isToAll: boolean }
  | { kind: 'forward'; email: EmailDto }
  | { kind: 'draft'; draft: Draft };

export const ComposeContext = createContext<(request: ComposeRequest) => void>(() => undefined);

export function useCompose(): (request: ComposeRequest) => void {
  return useContext(ComposeContext);
}
