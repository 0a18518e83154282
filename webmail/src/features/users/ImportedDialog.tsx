import type { ImportDto } from '@selvage/core/contracts/many-users';
import { Button } from '@fluentui/react-components';
import { useState } from 'react';
import { ConfirmDialog } from '../../components/dialog/ConfirmDialog.tsx';
import { DialogFrame } from '../../components/dialog/DialogFrame.tsx';
import { toCsv } from '../../lib/csv.ts';
import { useWords } from '../../lib/i18n.ts';
import { saveFile } from '../../lib/save-file.ts';
import { useUnsavedWork } from '../../lib/unsaved-work.ts';
import { manyUserWords } from '../../words/many-users.ts';

interface Props {
  added: NonNullable<ImportDto['added']>;
  onClose: () => void;
}

/**
 * Hands over the passwords of the users that an import added, as a file. Closing without it is
 * asked about first: the passwords are known here for the last time.
 */
export function ImportedDialog({ added, onClose }: Props) {
  const t = useWords(manyUserWords);
  const [isSaved, setSaved] = useState(false);
  const [isAsking, setAsking] = useState(false);
  useUnsavedWork(!isSaved, { name: t.unsaved, survivesNavigation: false });
  const save = (): void => {
    const rows = added.map((user) => [
      user.name,
      user.email,
      user.password,
      user.active_status ? t.active : t.inactive,
    ]);
    const titles = [t.name, t.email, t.password, t.status];
    saveFile(t.savedName, new Blob([toCsv([titles, ...rows])], { type: 'text/csv' }));
    setSaved(true);
  };
  return (
    <>
      <DialogFrame
        isAlert
        size="small"
        title={t.addedTitle(added.length)}
        actions={
          <>
            <Button onClick={() => (isSaved ? onClose() : setAsking(true))}>{t.done}</Button>
            <Button appearance="primary" onClick={save}>
              {t.save}
            </Button>
          </>
        }
      >
        <span>{t.addedText}</span>
        <span role="status">{isSaved && t.saved}</span>
      </DialogFrame>
      {isAsking && (
        <ConfirmDialog
          title={t.leaveTitle}
          text={t.leaveText}
          confirmLabel={t.closeAnyway}
          cancelLabel={t.goBack}
          isDangerous
          onConfirm={onClose}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
