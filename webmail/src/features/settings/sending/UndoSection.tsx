import { setUndoLength, undoLengths } from '@selvage/core/contracts/mail-settings';
import { Field, makeStyles, Select } from '@fluentui/react-components';
import { Section } from '../../../components/page/Section.tsx';
import { api } from '../../../lib/api.ts';
import { useCurrentUser } from '../../../lib/current-user.ts';
import { useWords, wordsOf } from '../../../lib/i18n.ts';
import { undoSettingWords } from '../../../words/undo-setting.ts';
import { useOwnChoice } from '../use-own-choice.ts';

const useStyles = makeStyles({ field: { maxWidth: '220px' } });

type Length = (typeof undoLengths)[number];

/** For how long a sent message can be taken back. A choice is saved at once. */
export function UndoSection() {
  const styles = useStyles();
  const t = useWords(undoSettingWords);
  const current = useCurrentUser()?.undo_ms;
  const choose = useOwnChoice(setting);
  // The operator may have set another one for the host
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

const setting = {
  call: (undo_ms: Length) => api(setUndoLength, { body: { undo_ms } }),
  fieldsOf: (undo_ms: Length) => ({ undo_ms }),
  saidOf: () => wordsOf(undoSettingWords).saved,
};
