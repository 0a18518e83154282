import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { type ReactNode, useState } from 'react';
import { TickBox } from '../../components/list/TickBox.tsx';
import { useWords } from '../../lib/i18n.ts';
import { onNarrow } from '../../theme/breakpoints.ts';
import { listWords } from '../../words/lists.ts';
import { subjectOf } from './row-words.ts';

const useStyles = makeStyles({
  heading: {
    margin: 0,
    padding: `${tokens.spacingVerticalM} ${tokens.spacingHorizontalL} ${tokens.spacingVerticalXS} 44px`,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
    fontWeight: tokens.fontWeightSemibold,
    color: tokens.colorNeutralForeground3,
    borderBottom: `1px solid ${tokens.colorNeutralStroke3}`,
    [onNarrow]: { paddingLeft: tokens.spacingHorizontalM },
  },
  row: {
    position: 'relative',
    display: 'flex',
    alignItems: 'center',
    paddingLeft: tokens.spacingHorizontalS,
    borderBottom: `1px solid ${tokens.colorNeutralStroke3}`,
    color: tokens.colorNeutralForeground2,
    ':hover': { backgroundColor: tokens.colorNeutralBackground1Hover },
    [onNarrow]: { alignItems: 'flex-start', paddingLeft: 0 },
  },
  unread: { color: tokens.colorNeutralForeground1, fontWeight: tokens.fontWeightSemibold },
  chosen: {
    backgroundColor: tokens.colorBrandBackground2,
    ':hover': { backgroundColor: tokens.colorBrandBackground2Hover },
  },
  dot: {
    position: 'absolute',
    left: '3px',
    top: 'calc(50% - 3px)',
    width: '6px',
    height: '6px',
    borderRadius: tokens.borderRadiusCircular,
    backgroundColor: tokens.colorCompoundBrandBackground,
  },
  // The tick and the star are aligned with the first of several lines
  tall: { alignItems: 'flex-start' },
  // As high as the tick beside it
  star: { display: 'flex', [onNarrow]: { marginTop: '4px' } },
  starOfTall: { marginTop: '4px' },
  open: {
    backgroundColor: tokens.colorNeutralBackground1Selected,
    boxShadow: `inset 3px 0 0 ${tokens.colorCompoundBrandBackground}`,
    ':hover': { backgroundColor: tokens.colorNeutralBackground1Selected },
  },
  actions: {
    position: 'absolute',
    right: tokens.spacingHorizontalL,
    top: 0,
    bottom: 0,
    display: 'flex',
    alignItems: 'center',
    paddingLeft: tokens.spacingHorizontalS,
    backgroundColor: tokens.colorNeutralBackground1Hover,
    [onNarrow]: { display: 'none' },
  },
  actionsStacked: { right: 0, paddingRight: tokens.spacingHorizontalM },
  actionsOfTall: { bottom: 'auto', height: '32px' },
  actionsOfOpen: { backgroundColor: tokens.colorNeutralBackground1Selected },
  actionsOfChosen: { backgroundColor: tokens.colorBrandBackground2Hover },
});

export interface ShellProps {
  row: { _id: string; subject: string };
  isUnread?: boolean;
  isChosen: boolean;
  onChoose: (isChosen: boolean, isRange: boolean) => void;
  onFocus: () => void;
  star?: ReactNode;
  /** A heading above the row, such as the day of this row and those below. */
  heading?: string | undefined;
  /** Two lines and more, for a narrow list. */
  isStacked?: boolean;
  /** Several lines at any width. */
  isTall?: boolean;
  /** The message is open beside the list. */
  isOpen?: boolean;
  /** Buttons in place of the date, while the pointer is over the row. */
  actions?: ReactNode;
  /** What the row shows, with the link or the button that opens it. */
  children: ReactNode;
}

/** What every row of mail has around its text: a heading, the tick, the star and its buttons. */
export function RowShell(props: ShellProps) {
  const { row, isUnread = false, isChosen, onChoose, onFocus, star, heading, actions, children } = props;
  const { isStacked = false, isTall = false, isOpen = false } = props;
  const [isUnderPointer, setUnderPointer] = useState(false);
  const styles = useStyles();
  const lists = useWords(listWords);
  return (
    <li data-entry={row._id} onFocus={onFocus}>
      {heading && <h2 className={styles.heading}>{heading}</h2>}
      <div
        className={mergeClasses(
          styles.row,
          isTall && styles.tall,
          isUnread && styles.unread,
          isOpen && styles.open,
          isChosen && styles.chosen,
        )}
        onPointerMove={({ pointerType }) => setUnderPointer(pointerType === 'mouse')}
        onPointerLeave={() => setUnderPointer(false)}
        data-row
      >
        {isUnread && <span className={styles.dot} aria-hidden />}
        <TickBox label={lists.select({ name: subjectOf(row) })} isTicked={isChosen} onTick={onChoose} />
        {star && <span className={mergeClasses(styles.star, isTall && styles.starOfTall)}>{star}</span>}
        {children}
        {isUnderPointer && actions && (
          <span
            className={mergeClasses(
              styles.actions,
              isStacked && styles.actionsStacked,
              isTall && styles.actionsOfTall,
              isOpen && styles.actionsOfOpen,
              isChosen && styles.actionsOfChosen,
            )}
          >
            {actions}
          </span>
        )}
      </div>
    </li>
  );
}
