import type { EmailDto } from '@selvage/core/contracts/email';
import { createContext } from 'react';
import type { DetailActions } from './use-detail-actions.ts';

/** The message of a page and what its toolbar does with it; null for one that is only read. */
export const OpenActions = createContext<{ email: EmailDto; actions: DetailActions } | null>(null);
