import {
  createSignature,
  removeSignature,
  type SignatureDto,
  updateSignature,
} from '@selvage/core/contracts/signatures';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { notify } from '../../../components/feedback/notify.ts';
import { api } from '../../../lib/api.ts';
import { ApiError } from '../../../lib/api-error.ts';
import { currentUserQuery } from '../../../lib/current-user.ts';
import { wordsOf } from '../../../lib/i18n.ts';
import { signaturesQuery } from '../../../lib/signatures.ts';
import { signatureWords } from '../../../words/signatures.ts';
import { accountKeys } from '../queries.ts';
import type { SignatureEntry } from './entries.ts';
import { dropUnsaved, noteSaved, readUnsaved } from './unsaved.ts';

interface Change {
  entry: SignatureEntry;
  /** What of it is sent: of one that is saved already, what was changed. */
  body: { signature_name?: string; signature_body?: string };
  /** The version that the form began with. */
  version: number | undefined;
}

function save({ entry: { saved }, body, version }: Change): Promise<SignatureDto> {
  if (saved) return api(updateSignature, { params: { id: saved._id }, body: { ...body, version } });
  return api(createSignature, { body: { signature_name: '', signature_body: '', ...body } });
}

/**
 * What a change of a signature changes elsewhere: the defaults carry its text, and the activity
 * tells of it.
 */
function useRefreshOthers(): () => void {
  const client = useQueryClient();
  return () => {
    void client.invalidateQueries({ queryKey: currentUserQuery.queryKey });
    void client.invalidateQueries({ queryKey: accountKeys.activity });
  };
}

/** What was typed while it was being saved stays, as a change of what is saved now. */
function settleUnsaved({ key, unsaved: sent }: SignatureEntry): void {
  const now = readUnsaved(key);
  if (now?.name === sent?.name && now?.body === sent?.body) dropUnsaved(key);
}

/** Puts a signature as the server has it now into the list. */
export function adoptSignature(client: QueryClient, signature: SignatureDto): void {
  client.setQueryData<SignatureDto[]>(signaturesQuery.queryKey, (old = []) => {
    const isKnown = old.some(({ _id }) => _id === signature._id);
    return isKnown ? old.map((one) => (one._id === signature._id ? signature : one)) : [...old, signature];
  });
}

export function useSaveSignature() {
  const client = useQueryClient();
  const refreshOthers = useRefreshOthers();
  /** Whether the server has answered the last save that failed. */
  const isAnswered = useRef(false);
  const { mutateAsync } = useMutation({
    mutationFn: save,
    // Here and not where it is called: it has to happen also when the screen was left meanwhile
    onSuccess: (signature, { entry }) => {
      // In one step: at no moment is it neither a draft nor saved
      noteSaved(entry.key, signature, entry.unsaved);
      adoptSignature(client, signature);
      settleUnsaved(entry);
      notify.success(wordsOf(signatureWords).saved);
      refreshOthers();
      // The answer is in the list already: the form goes on from it without waiting
      void client.invalidateQueries({ queryKey: signaturesQuery.queryKey });
    },
    onError: (error) => {
      isAnswered.current = error instanceof ApiError && error.status !== 0;
      // It may have been deleted elsewhere: then the list shows what was written as a new one
      return client.invalidateQueries({ queryKey: signaturesQuery.queryKey });
    },
  });
  /** Says of the last failure what is known: without an answer the signature may be saved. */
  const whatFailed = (): string => {
    const t = wordsOf(signatureWords);
    return isAnswered.current ? t.saveFailed : t.saveBroke;
  };
  return { save: mutateAsync, whatFailed };
}

export function useRemoveSignature() {
  const client = useQueryClient();
  const refreshOthers = useRefreshOthers();
  return useMutation({
    mutationFn: (id: string) => api(removeSignature, { params: { id } }),
    onSuccess: (_answer, id) => {
      client.setQueryData<SignatureDto[]>(signaturesQuery.queryKey, (old = []) => old.filter(({ _id }) => _id !== id));
      refreshOthers();
      return client.invalidateQueries({ queryKey: signaturesQuery.queryKey });
    },
  });
}
