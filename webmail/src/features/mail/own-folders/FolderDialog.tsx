import {
  createOwnFolder,
  type OwnFolderDto,
  ownFolderForm,
  renameOwnFolder,
} from '@selvage/core/contracts/own-folders';
import { useQueryClient } from '@tanstack/react-query';
import { FormDialog } from '../../../components/dialog/FormDialog.tsx';
import { notify } from '../../../components/feedback/notify.ts';
import { TextField } from '../../../components/form/fields.tsx';
import { useForm } from '../../../hooks/use-form.ts';
import { api } from '../../../lib/api.ts';
import { useWords } from '../../../lib/i18n.ts';
import { problemsOf } from '../../../lib/problems.ts';
import { ownFolderWords } from '../../../words/own-folders.ts';
import { mailKeys } from '../keys.ts';

interface Props {
  /** The folder that gets another name; left out for a new one. */
  folder?: OwnFolderDto;
  onDone?: (folder: OwnFolderDto) => void;
  onClose: () => void;
}

/** The name of a folder. */
export default function FolderDialog({ folder, onDone, onClose }: Props) {
  const t = useWords(ownFolderWords);
  const client = useQueryClient();
  const form = useForm({
    start: { name: folder?.name ?? '' },
    check: (values) => problemsOf(ownFolderForm, values),
    submit: ({ name }) =>
      folder
        ? api(renameOwnFolder, { params: { id: folder._id }, body: { name } })
        : api(createOwnFolder, { body: { name } }),
    onDone: async (saved) => {
      await client.invalidateQueries({ queryKey: mailKeys.totals });
      notify.success((folder ? t.renamed : t.created)({ name: saved.name }));
      onDone?.(saved);
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      size="small"
      title={folder ? t.renameTitle : t.newFolder}
      submitLabel={folder ? t.save : t.create}
      busyLabel={folder ? t.saving : t.creating}
      onClose={onClose}
    >
      <TextField form={form} name="name" label={t.name} maxLength={60} />
    </FormDialog>
  );
}
