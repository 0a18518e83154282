import {
  type ArchiveDto,
  linkArchive,
  listArchives,
  makeArchive,
  removeArchive,
} from '@selvage/core/contracts/company-archives';
import { updateCompany } from '@selvage/core/contracts/companies';
import { Button } from '@fluentui/react-components';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DeleteDialog } from '../../components/dialog/DeleteDialog.tsx';
import { notify } from '../../components/feedback/notify.ts';
import { RecordList } from '../../components/list/RecordList.tsx';
import { Section } from '../../components/page/Section.tsx';
import { useChanged } from '../../hooks/use-changed.ts';
import { api } from '../../lib/api.ts';
import { ApiError } from '../../lib/api-error.ts';
import { can } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { useWords } from '../../lib/i18n.ts';
import { savePath } from '../../lib/save-file.ts';
import { archiveWords } from '../../words/company-archives.ts';
import { PasswordDialog, usePasswordForm } from '../settings/PasswordDialog.tsx';
import { ArchiveRow } from './ArchiveRow.tsx';
import { archivesKey } from './queries.ts';

const ASK_EVERY_MS = 1000;

const isBeingMade = ({ state }: ArchiveDto): boolean => state === 'making' || state === 'checking';

/** Archives of a company, for people who may have all of its mail. */
export function ArchiveSection({ companyId }: { companyId: string }) {
  const user = useCurrentUser();
  return can(user, listArchives) && can(user, updateCompany) ? <Archives companyId={companyId} /> : null;
}

type Open = { kind: 'download' | 'delete'; archive: ArchiveDto } | null;

function Archives({ companyId }: { companyId: string }) {
  const t = useWords(archiveWords);
  const user = useCurrentUser();
  const [mayMake, mayDelete] = [can(user, makeArchive), can(user, removeArchive)];
  const client = useQueryClient();
  const queryKey = archivesKey(companyId);
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => api(listArchives, { params: { id: companyId }, signal }),
    refetchInterval: ({ state }) => (state.data?.some(isBeingMade) ? ASK_EVERY_MS : false),
  });
  const making = useMutation({
    mutationFn: () => api(makeArchive, { params: { id: companyId } }),
    onSuccess: () => client.invalidateQueries({ queryKey }),
    onError: notify.error,
  });
  const [open, setOpen] = useState<Open>(null);
  const close = (): void => setOpen(null);
  // Not for a person whom another one of the company outranks
  if (error instanceof ApiError && error.code === 'outranked') return null;
  const isBusy = making.isPending || (data?.some(isBeingMade) ?? false);
  return (
    <Section
      title={t.title}
      hint={t.hint}
      action={
        mayMake && (
          <Button disabledFocusable={isBusy} onClick={() => making.mutate()}>
            {making.isPending ? t.making : t.make}
          </Button>
        )
      }
    >
      <RecordList
        label={t.title}
        rows={data}
        error={error}
        empty={t.none}
        onRetry={() => void refetch()}
        renderRow={(archive) => (
          <ArchiveRow
            key={archive._id}
            archive={archive}
            {...(mayMake ? { onDownload: () => setOpen({ kind: 'download', archive }) } : {})}
            {...(mayDelete ? { onDelete: () => setOpen({ kind: 'delete', archive }) } : {})}
          />
        )}
      />
      {open?.kind === 'download' && <DownloadDialog companyId={companyId} archive={open.archive} onClose={close} />}
      {open?.kind === 'delete' && <RemoveDialog companyId={companyId} archive={open.archive} onClose={close} />}
    </Section>
  );
}

interface DialogProps {
  companyId: string;
  archive: ArchiveDto;
  onClose: () => void;
}

function DownloadDialog({ companyId, archive, onClose }: DialogProps) {
  const t = useWords(archiveWords);
  const form = usePasswordForm({
    start: {},
    submit: (password) => api(linkArchive, { params: { id: companyId }, body: { archive_id: archive._id, password } }),
    onDone: ({ path }) => {
      savePath(path);
      notify.info(t.begun);
      onClose();
    },
  });
  return (
    <PasswordDialog
      form={form}
      title={t.downloadTitle}
      text={t.downloadText}
      submitLabel={t.download}
      busyLabel={t.downloading}
      onClose={onClose}
    />
  );
}

function RemoveDialog({ companyId, archive, onClose }: DialogProps) {
  const t = useWords(archiveWords);
  const tellChanged = useChanged(archivesKey(companyId));
  const remove = async (): Promise<void> => {
    await api(removeArchive, { params: { id: companyId }, body: { archive_id: archive._id } });
    await tellChanged(t.deleted);
  };
  const [title, text] = isBeingMade(archive) ? [t.stopTitle, t.stopText] : [t.deleteTitle, t.deleteText];
  return <DeleteDialog title={title} text={text} onDelete={remove} onClose={onClose} />;
}
