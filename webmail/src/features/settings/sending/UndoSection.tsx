import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import { setUndoLength, undoLengths } from '@selvage/core/contracts/mail-settings';
import { Field, makeStyles, Select } from '@fluentui/react-components';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { notify } from '../../../components/feedback/notify.ts';
import { Section } from '../../../components/page/Section.tsx';
import { api } from '../../../lib/api.ts';
import { currentUserQuery, useCurrentUser } from '../../../lib/current-user.ts';
import { useWords, wordsOf } from '../../../lib/i18n.ts';
import { undoSettingWords } from '../../../words/undo-setting.ts';

const useStyles = makeStyles({ field: { maxWidth: '220px' } });

type Length = (typeof undoLengths)[number];

/** For how long a sent message can be taken back. Chosen is saved. */
export function UndoSection() {
  const styles = useStyles();
  const t = useWords(undoSettingWords);
  const current = useCurrentUser()?.undo_ms;
  const choose = useChoose();
  // the operator may have set another one for the host
  const isOther = current !== undefined && !undoLengths.some((length) => length === current);
  return (
    <Section title={t.title} hint={t.hint}>
      <Field label={t.field} className={styles.field}>
        <Select value={String(current ?? '')} onChange={(_event, { value }) => choose.mutate(Number(value) as Length)}>
          {isOther && <option value={current}>{t.seconds({ seconds: current / 1000 })}</option>}
          {undoLengths.map((length) => (
            <option key={length} value={length}>
              {t.seconds({ seconds: length / 1000 })}
            </option>
          ))}
        </Select>
      </Field>
    </Section>
  );
}

function useChoose() {
  const client = useQueryClient();
  const { queryKey } = currentUserQuery;
  return useMutation({
    mutationFn: (undo_ms: Length) => api(setUndoLength, { body: { undo_ms } }),
    onMutate: async (undo_ms) => {
      await client.cancelQueries({ queryKey });
      const before = client.getQueryData<CurrentUserDto>(queryKey);
      if (before) client.setQueryData(queryKey, { ...before, undo_ms });
      return before;
    },
    onSuccess: () => notify.success(wordsOf(undoSettingWords).saved),
    onError: (error, _chosen, before) => {
      if (before) client.setQueryData(queryKey, before);
      notify.error(error);
    },
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
}
