import { type PermissionMatrix, resetPermissions } from '@selvage/core/contracts/permission-matrix';
import { Button } from '@fluentui/react-components';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '../../components/dialog/ConfirmDialog.tsx';
import { notify } from '../../components/feedback/notify.ts';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import { changesMade } from '../../hooks/use-action.ts';
import { api } from '../../lib/api.ts';
import { useWords } from '../../lib/i18n.ts';
import { dialogWords } from '../../words/dialogs.ts';
import { matrixWords } from '../../words/permission-matrix.ts';
import { matrixKey, type MatrixSubject } from '../../lib/record-keys.ts';
import { currentSubject } from '../../lib/session.ts';
import { takeAnswer } from '../../lib/take-answer.ts';

interface Props {
  subject: MatrixSubject;
  matrix: PermissionMatrix;
}

/** Gives a person the permissions of the role again, after a question. */
export function ResetPermissions({ subject, matrix }: Props) {
  const t = useWords(matrixWords);
  const { cancel } = useWords(dialogWords);
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  if (matrix.permissions.every(({ source }) => source === 'role')) {
    return <FormMessage intent="info" text={t.nothingToReset} />;
  }
  const reset = async (): Promise<void> => {
    const as = currentSubject();
    // A flag that is changed before and reaches the server later would be the person's own again
    await changesMade();
    const saved = await api(resetPermissions, { params: { id: subject.id }, as });
    await takeAnswer(client, matrixKey(subject), saved);
    notify.success(t.resetDone);
  };
  const { name, role } = matrix.subject;
  return (
    <>
      <FormMessage
        intent="warning"
        text={t.resetText}
        action={<Button onClick={() => setAsking(true)}>{t.reset}</Button>}
      />
      {isAsking && (
        <ConfirmDialog
          isDangerous
          title={t.resetTitle}
          text={t.resetQuestion({ name, role: role.role_name })}
          confirmLabel={t.reset}
          busyLabel={t.resetting}
          cancelLabel={cancel}
          onConfirm={reset}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
