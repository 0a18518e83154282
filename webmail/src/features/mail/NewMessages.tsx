import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { ArrowUpRegular } from '@fluentui/react-icons/svg/arrow-up';
import type { MouseEvent } from 'react';
import { useWords } from '../../lib/i18n.ts';
import { fadeIn } from '../../theme/styles.ts';
import { mailListWords } from '../../words/mail-list.ts';

const useStyles = makeStyles({
  // Laid over the rows, so that none of them moves
  root: { position: 'sticky', top: 0, height: 0, zIndex: 2, display: 'flex', justifyContent: 'center' },
  button: {
    marginTop: tokens.spacingVerticalS,
    height: '32px',
    flexShrink: 0,
    borderRadius: tokens.borderRadiusCircular,
    boxShadow: tokens.shadow16,
    whiteSpace: 'nowrap',
    ...fadeIn,
  },
});

/** Says how many messages wait at the top of the list; a press shows them. */
export function NewMessages({ number, onShow }: { number: number; onShow: (event: MouseEvent<HTMLElement>) => void }) {
  const styles = useStyles();
  const t = useWords(mailListWords);
  return (
    <div className={styles.root} role="status">
      {number > 0 && (
        <Button className={styles.button} appearance="primary" icon={<ArrowUpRegular />} onClick={onShow}>
          {t.newMessages(number)}
        </Button>
      )}
    </div>
  );
}
