import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { ComposeRegular } from '@fluentui/react-icons/svg/compose';
import { useMedia } from '../../hooks/use-media.ts';
import { useWords } from '../../lib/i18n.ts';
import { NARROW } from '../../theme/breakpoints.ts';
import { mailListWords } from '../../words/mail-list.ts';
import { openCompose } from './compose/compose-store.ts';

const useStyles = makeStyles({
  wide: { whiteSpace: 'nowrap', flexShrink: 0 },
  round: {
    position: 'fixed',
    right: tokens.spacingHorizontalL,
    bottom: 'calc(112px + env(safe-area-inset-bottom))',
    zIndex: 5,
    // Fluent gives a button that knows its icon alone a width of its own, in all three
    width: '52px',
    minWidth: '52px',
    maxWidth: '52px',
    height: '52px',
    padding: 0,
    borderRadius: tokens.borderRadiusCircular,
    boxShadow: tokens.shadow16,
  },
});

/** Begins a new message. */
export const composeNew = (): void => openCompose({ kind: 'new' });

/**
 * The button to write with, for people who may send. On a phone it is a round one within reach of
 * the thumb, wherever it stands in the page; `isTight` leaves only its sign elsewhere.
 */
export function ComposeButton({ isTight = false }: { isTight?: boolean }) {
  const styles = useStyles();
  const t = useWords(mailListWords);
  const isNarrow = useMedia(NARROW);
  const shared = { appearance: 'primary', icon: <ComposeRegular />, onClick: composeNew } as const;
  if (isNarrow) return <Button {...shared} className={styles.round} aria-label={t.compose} />;
  if (isTight) return <Button {...shared} aria-label={t.compose} data-tip={t.compose} />;
  return (
    <Button {...shared} className={styles.wide}>
      {t.compose}
    </Button>
  );
}
