import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { type MouseEvent, type ReactNode, useState } from 'react';
import { Bar, Placeholder } from '../../components/feedback/Placeholder.tsx';
import { cut } from '../../lib/format.ts';
import { useWords } from '../../lib/i18n.ts';
import { onNarrow } from '../../theme/breakpoints.ts';
import { arrivalHeading, scrollPane } from '../../theme/styles.ts';
import { readingWords } from '../../words/reading.ts';

const useStyles = makeStyles({
  root: { display: 'flex', flexDirection: 'column', flexGrow: 1, minHeight: 0 },
  pane: {
    ...scrollPane,
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalM,
    padding: `${tokens.spacingVerticalL} ${tokens.spacingHorizontalXL}`,
    // Room to scroll the end of the message clear of the round Compose button
    [onNarrow]: { padding: `${tokens.spacingHorizontalM} ${tokens.spacingHorizontalM} 116px` },
  },
  subject: {
    margin: 0,
    fontSize: tokens.fontSizeBase500,
    lineHeight: tokens.lineHeightBase500,
    fontWeight: tokens.fontWeightSemibold,
    overflowWrap: 'anywhere',
    ...arrivalHeading,
  },
});

interface Props {
  subject: string;
  /** What can be done with the message, above what scrolls. */
  bar: ReactNode;
  children: ReactNode;
}

/** The frame of a page that shows one message: actions, the subject, and what is to be read. */
export function OpenFrame({ subject, bar, children }: Props) {
  const styles = useStyles();
  return (
    <div className={styles.root}>
      {bar}
      <article className={styles.pane}>
        <Subject text={subject} />
        {children}
      </article>
    </div>
  );
}

const LONG_SUBJECT = 200;

/**
 * A subject that would push the message off the screen is cut until the person asks for all of it.
 */
function Subject({ text }: { text: string }) {
  const styles = useStyles();
  const t = useWords(readingWords);
  const [isWhole, setWhole] = useState(text.length <= LONG_SUBJECT);
  const showWhole = ({ currentTarget: button }: MouseEvent<HTMLElement>): void => {
    // The button is removed, and the focus would fall to the page
    if (button.matches(':focus-visible')) button.parentElement?.querySelector('h1')?.focus();
    setWhole(true);
  };
  return (
    <div>
      <h1 className={styles.subject} dir="auto" tabIndex={-1} ref={focusOnce} data-open-subject>
        {isWhole ? text : cut(text, LONG_SUBJECT)}
      </h1>
      {!isWhole && (
        <Button size="small" appearance="transparent" onClick={showWhole}>
          {t.wholeSubject}
        </Button>
      )}
    </div>
  );
}

/**
 * Elements that keep the focus: a row of the list beside the message, and a window or a field in
 * which the person writes.
 */
const KEEPERS = '[data-entry], [data-beside], input, textarea, [contenteditable]';

// A ref function that stays the same is called once for each mount, so a refetch doesn't steal the
// focus
function focusOnce(heading: HTMLElement | null): void {
  // A person who moves through the list stays in it, and letters typed in a field must not become
  // shortcuts
  if (document.activeElement?.closest(KEEPERS)) return;
  heading?.focus({ preventScroll: true });
}

/** Shown in place of a message until it is loaded. */
export function OpenSkeleton() {
  const styles = useStyles();
  const t = useWords(readingWords);
  return (
    <Placeholder label={t.loading} className={styles.pane}>
      <Bar height={28} width="60%" />
      <Bar height={40} width="40%" />
      <Bar height={16} width="30%" />
      <Bar height={240} />
    </Placeholder>
  );
}
