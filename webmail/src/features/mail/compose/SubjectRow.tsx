import { makeStyles, tokens } from '@fluentui/react-components';
import { useStore } from '@nanostores/react';
import { useId } from 'react';
import { useWords } from '../../../lib/i18n.ts';
import { composeWords } from '../../../words/compose.ts';
import { ComposeRow } from './ComposeRow.tsx';
import type { OpenMessage } from './windows.ts';

const LONGEST = 998;

const useStyles = makeStyles({
  input: {
    width: '100%',
    boxSizing: 'border-box',
    padding: '0 2px',
    border: 'none',
    outlineStyle: 'none',
    backgroundColor: 'transparent',
    color: tokens.colorNeutralForeground1,
    fontFamily: 'inherit',
    fontSize: tokens.fontSizeBase300,
    fontWeight: tokens.fontWeightSemibold,
    lineHeight: '32px',
  },
});

export function SubjectRow({ message }: { message: OpenMessage }) {
  const styles = useStyles();
  const t = useWords(composeWords);
  const id = useId();
  const { subject } = useStore(message.composition);
  return (
    <ComposeRow label={t.subject} inputId={id}>
      <input
        id={id}
        className={styles.input}
        maxLength={LONGEST}
        autoComplete="off"
        value={subject}
        onChange={(event) => message.write({ subject: event.target.value })}
      />
    </ComposeRow>
  );
}
