import { Button, makeStyles } from '@fluentui/react-components';
import { useStore } from '@nanostores/react';
import { useWords } from '../../lib/i18n.ts';
import { mailListWords } from '../../words/mail-list.ts';
import { isUnsentAsked, unsentCount } from './compose/compose-store.ts';

const useStyles = makeStyles({ root: { minWidth: 'auto', whiteSpace: 'nowrap', flexShrink: 0 } });

/** The way to messages that were written here and not sent; nothing while there are none. */
export function UnsentButton() {
  const styles = useStyles();
  const t = useWords(mailListWords);
  const number = useStore(unsentCount);
  if (number === 0) return null;
  return (
    <Button className={styles.root} appearance="subtle" onClick={() => isUnsentAsked.set(true)}>
      {t.unsent({ number })}
    </Button>
  );
}
