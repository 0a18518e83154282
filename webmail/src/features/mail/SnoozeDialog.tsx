import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { DialogFrame } from '../../components/dialog/DialogFrame.tsx';
import { useWords } from '../../lib/i18n.ts';
import { dialogWords } from '../../words/dialogs.ts';
import { snoozeWords } from '../../words/snooze.ts';
import { fieldText, offeredTimes, timeProblem } from './send-times.ts';
import { timeInWords } from './time-in-words.ts';
import { awake, snoozedUntil, snoozing } from './snoozing.ts';
import { TimeField } from './TimeField.tsx';
import type { StatusPatch } from './use-change-status.ts';

const useStyles = makeStyles({
  offers: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalS },
  offer: { justifyContent: 'space-between', fontWeight: tokens.fontWeightRegular },
  when: { color: tokens.colorNeutralForeground3, fontVariantNumeric: 'tabular-nums' },
});

/** Asks until when messages sleep: a time with one press, or any other. */
export default function SnoozeDialog() {
  const asked = useStore(snoozing);
  const styles = useStyles();
  const t = useWords(snoozeWords);
  const { cancel } = useWords(dialogWords);
  const [offers] = useState(() => offeredTimes());
  const [text, setText] = useState(() => firstText(asked?.until ?? null, offers));
  const [problem, setProblem] = useState<string | null>(null);
  const close = (): void => snoozing.set(null);
  const choose = (patch: StatusPatch): void => {
    close();
    asked?.onChosen(patch);
  };
  const handleConfirm = (): void => {
    const at = new Date(text);
    const found = timeProblem(at);
    setProblem(found);
    if (found === null) choose(snoozedUntil(at));
  };
  return (
    <DialogFrame
      title={t.title}
      size="small"
      onClose={close}
      actions={
        <>
          <Button onClick={close}>{cancel}</Button>
          <Button appearance="primary" onClick={handleConfirm}>
            {t.confirm}
          </Button>
        </>
      }
    >
      <div className={styles.offers}>
        {asked?.until && (
          <Button className={styles.offer} onClick={() => choose(awake)}>
            {t.now}
          </Button>
        )}
        {offers.map(({ name, at }) => (
          <Button key={name} className={styles.offer} onClick={() => choose(snoozedUntil(at))}>
            <span>{t[name]}</span>
            <span className={styles.when}>{timeInWords(at)}</span>
          </Button>
        ))}
      </div>
      <TimeField
        value={text}
        problem={problem}
        onChange={(value) => {
          setText(value);
          setProblem(null);
        }}
        onEnter={handleConfirm}
      />
    </DialogFrame>
  );
}

/** The time that the field begins with: the present one while it is ahead, or tomorrow morning. */
function firstText(until: string | null, offers: readonly { name: string; at: Date }[]): string {
  const known = until === null ? null : new Date(until);
  if (known && known.getTime() > Date.now()) return fieldText(known);
  return fieldText(offers.find(({ name }) => name === 'tomorrow')?.at ?? new Date());
}
