import { makeStyles, tokens } from '@fluentui/react-components';
import { ArrowClockwiseRegular } from '@fluentui/react-icons/svg/arrow-clockwise';
import type { ReactNode } from 'react';
import { IconButton } from '../../components/IconButton.tsx';
import { CountBadge } from '../../components/list/CountBadge.tsx';
import { TickBox } from '../../components/list/TickBox.tsx';
import { focusOnArrival } from '../../components/page/Page.tsx';
import type { Selection } from '../../hooks/use-selection.ts';
import { useWords } from '../../lib/i18n.ts';
import { onNarrow } from '../../theme/breakpoints.ts';
import { arrivalHeading } from '../../theme/styles.ts';
import { listWords } from '../../words/lists.ts';
import { mailListWords } from '../../words/mail-list.ts';

const useStyles = makeStyles({
  root: {
    display: 'flex',
    alignItems: 'center',
    gap: tokens.spacingHorizontalS,
    flexShrink: 0,
    minHeight: '52px',
    padding: `0 ${tokens.spacingHorizontalL} 0 ${tokens.spacingHorizontalS}`,
    borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
    [onNarrow]: { padding: `0 ${tokens.spacingHorizontalS} 0 0` },
  },
  title: {
    margin: 0,
    fontSize: tokens.fontSizeBase400,
    lineHeight: tokens.lineHeightBase400,
    fontWeight: tokens.fontWeightSemibold,
    // The person's own folders may have long names, and the buttons keep their room
    minWidth: 0,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    ...arrivalHeading,
  },
  space: { flexGrow: 1 },
  chosen: { whiteSpace: 'nowrap', fontWeight: tokens.fontWeightSemibold, fontSize: tokens.fontSizeBase300 },
});

interface Props {
  title: string;
  /** How many there are on all pages; the label says it in words. */
  count: { number: number; label: string } | undefined;
  selection: Pick<Selection<unknown>, 'chosen' | 'share' | 'chooseAll'>;
  /** How many are chosen, when these are more than the ticked rows. */
  chosenNumber?: number | undefined;
  /** What can be done with the ticked rows; fills the room. */
  bulkActions: ReactNode;
  /** Stands before Refresh. */
  extra?: ReactNode;
  isRefreshing: boolean;
  onRefresh: () => void;
  /** Stands at the end, also while rows are ticked. */
  children?: ReactNode;
}

/** Heading of a list of mail. While rows are ticked, what can be done with them takes its place. */
export function ListHeader(props: Props) {
  const { title, count, selection, chosenNumber, bulkActions, extra, isRefreshing, onRefresh, children } = props;
  const styles = useStyles();
  const t = useWords(mailListWords);
  const lists = useWords(listWords);
  const { chosen, share, chooseAll } = selection;
  return (
    <header className={styles.root}>
      <TickBox label={lists.selectPage} isTicked={share} onTick={chooseAll} />
      {chosen.length > 0 ? (
        <>
          <span className={styles.chosen} role="status">
            {lists.selected(chosenNumber ?? chosen.length)}
          </span>
          {bulkActions}
        </>
      ) : (
        <>
          <h1 className={styles.title} tabIndex={-1} ref={focusOnArrival}>
            {title}
          </h1>
          {count && <CountBadge count={count.number} label={count.label} />}
          <span className={styles.space} />
          {extra}
          <IconButton
            label={t.refresh}
            icon={<ArrowClockwiseRegular />}
            disabledFocusable={isRefreshing}
            onClick={onRefresh}
          />
        </>
      )}
      {children}
    </header>
  );
}
