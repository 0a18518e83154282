import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { ArrowUpRegular } from '@fluentui/react-icons/svg/arrow-up';
import type { MouseEvent, RefObject } from 'react';
import { flushSync } from 'react-dom';
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

interface Props {
  number: number;
  /** The list, which is scrolled to its top. */
  scrollRef: RefObject<HTMLElement | null>;
  onShow: () => void;
}

/** Says how many messages wait at the top of the list; a press shows them. */
export function NewMessages({ number, scrollRef, onShow }: Props) {
  const styles = useStyles();
  const t = useWords(mailListWords);
  const show = ({ currentTarget: button }: MouseEvent<HTMLElement>): void => {
    const hadKeyFocus = button.matches(':focus-visible');
    flushSync(onShow);
    scrollRef.current?.scrollTo({ top: 0 });
    // The button is gone, and the focus would fall to the page. After a press by mouse, no row has
    // it: the keys would act on a row that nothing marks
    if (hadKeyFocus) scrollRef.current?.querySelector<HTMLElement>('[data-row-link]')?.focus();
  };
  return (
    <div className={styles.root} role="status">
      {number > 0 && (
        <Button className={styles.button} appearance="primary" icon={<ArrowUpRegular />} onClick={show}>
          {t.newMessages(number)}
        </Button>
      )}
    </div>
  );
}
