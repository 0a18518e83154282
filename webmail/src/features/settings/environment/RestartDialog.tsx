import { type ProgramDto, restartHost } from '@selvage/core/contracts/environment';
import { useQueryClient } from '@tanstack/react-query';
import { ConfirmDialog } from '../../../components/dialog/ConfirmDialog.tsx';
import { api } from '../../../lib/api.ts';
import { failureMessage } from '../../../lib/api-error.ts';
import { useWords } from '../../../lib/i18n.ts';
import { takeAnswer } from '../../../lib/take-answer.ts';
import { dialogWords } from '../../../words/dialogs.ts';
import { environmentWords } from '../../../words/environment.ts';
import { restartQuery } from './queries.ts';

interface Props {
  /** Programs that run in one process, which are unavailable while that process restarts. */
  single: ProgramDto[];
  onClose: () => void;
}

/** Asks all processes of the host to be replaced. */
export function RestartDialog({ single, onClose }: Props) {
  const t = useWords(environmentWords);
  const shared = useWords(dialogWords);
  const client = useQueryClient();
  const restart = async (): Promise<void> => {
    try {
      await takeAnswer(client, restartQuery.queryKey, await api(restartHost, {}));
    } catch (error) {
      throw new Error(failureMessage(error, t.restartFailed), { cause: error });
    }
  };
  const programs = single.map((program) => t[program]).join(', ');
  return (
    <ConfirmDialog
      title={t.restartTitle}
      text={
        <>
          {t.restartText}
          {programs && <p>{t.restartSingle({ programs })}</p>}
        </>
      }
      confirmLabel={t.restart}
      busyLabel={t.restarting}
      cancelLabel={shared.cancel}
      onConfirm={restart}
      onClose={onClose}
    />
  );
}
