import type { EmailDto } from '@selvage/core/contracts/email';
import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { AttachRegular } from '@fluentui/react-icons/svg/attach';
import { ChevronUpRegular } from '@fluentui/react-icons/svg/chevron-up';
import { ErrorCircleRegular } from '@fluentui/react-icons/svg/error-circle';
import { StarFilled } from '@fluentui/react-icons/svg/star';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type Ref, useEffect, useRef, useState } from 'react';
import { Bar, Placeholder } from '../../components/feedback/Placeholder.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { LoadError } from '../../components/page/LoadError.tsx';
import { VisuallyHidden } from '../../components/VisuallyHidden.tsx';
import { useHourly } from '../../hooks/use-hourly.ts';
import { fullDate, rowDate } from '../../lib/format.ts';
import { useWords, wordsOf } from '../../lib/i18n.ts';
import { own } from '../../theme/own-tokens.ts';
import { focusRingInside, oneLine } from '../../theme/styles.ts';
import { mailListWords } from '../../words/mail-list.ts';
import { oneMessageWords, readingWords } from '../../words/reading.ts';
import { sentenceOf } from './authenticity.ts';
import { OpenMessage } from './OpenMessage.tsx';
import { aloneQuery } from './queries.ts';
import { rowPreview } from './row-words.ts';
import { senderIn } from './senders.ts';
import type { StatusPatch } from './use-change-status.ts';

const useStyles = makeStyles({
  alone: { display: 'contents' },
  root: { borderTop: `1px solid ${tokens.colorNeutralStroke2}`, flexShrink: 0, ...focusRingInside },
  mine: { backgroundColor: own.ownWords },
  line: {
    display: 'flex',
    alignItems: 'center',
    gap: tokens.spacingHorizontalM,
    width: '100%',
    minHeight: '40px',
    padding: `0 ${tokens.spacingHorizontalM}`,
    border: 'none',
    backgroundColor: 'transparent',
    color: tokens.colorNeutralForeground2,
    fontFamily: 'inherit',
    fontSize: tokens.fontSizeBase300,
    cursor: 'pointer',
    textAlign: 'start',
    ':hover': { backgroundColor: tokens.colorNeutralBackground1Hover },
    ...focusRingInside,
  },
  unread: { color: tokens.colorNeutralForeground1, fontWeight: tokens.fontWeightSemibold },
  who: { flexShrink: 0, maxWidth: '40%', ...oneLine },
  snippet: { flexGrow: 1, minWidth: 0, color: tokens.colorNeutralForeground3, fontWeight: 400, ...oneLine },
  clip: { display: 'flex', flexShrink: 0, fontSize: '16px', color: tokens.colorNeutralForeground3 },
  star: { display: 'flex', flexShrink: 0, fontSize: '16px', color: own.star },
  failed: { display: 'flex', flexShrink: 0, fontSize: '16px', color: own.stateBad },
  date: { flexShrink: 0, fontSize: tokens.fontSizeBase200, fontVariantNumeric: 'tabular-nums' },
  open: {
    position: 'relative',
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalM,
    padding: `${tokens.spacingVerticalM} ${tokens.spacingHorizontalM} ${tokens.spacingVerticalL}`,
  },
  fold: { position: 'absolute', right: tokens.spacingHorizontalM, bottom: tokens.spacingVerticalL },
});

type Reply = EmailDto['replies'][number];

interface Props {
  /** A message of the conversation; the open one is there with its text. */
  item: Reply | EmailDto;
  /** The message has no conversation: nothing is drawn around it, and it is always open. */
  isAlone: boolean;
  isOpen: boolean;
  isUnread: boolean;
  onToggle: () => void;
  canCompose: boolean;
  ref?: Ref<HTMLDivElement> | undefined;
}

/**
 * One message of a conversation: a line, or the whole of it. A single message can get an answer
 * while it is open. It keeps its element then, and with it all that the person has opened in it.
 */
export function ThreadMessage({ item, isAlone, isOpen, isUnread, onToggle, canCompose, ref }: Props) {
  const styles = useStyles();
  const t = useWords(readingWords);
  const list = useWords(mailListWords);
  const one = useWords(oneMessageWords);
  useHourly();
  const name = item.send_status ? t.me : senderIn(item);
  const root = {
    ref,
    // Not an `article` element: a single message has no role, and must not become another element
    // later
    role: 'article',
    className: mergeClasses(styles.root, item.send_status && styles.mine),
    'aria-label': name,
    // Keys that are pressed in a message act on that message
    'data-message': item._id,
    tabIndex: -1,
    onKeyDown: ({ key, target, currentTarget }: KeyboardEvent) => {
      // On a button or a link in the message, Enter presses that button or link
      if (key === 'Enter' && target === currentTarget) onToggle();
    },
  };
  if (isOpen) {
    return (
      <div {...(isAlone ? { ref, className: styles.alone } : root)}>
        <div className={isAlone ? styles.alone : styles.open}>
          {'deliveries' in item ? (
            <OpenMessage isOneOfMany={!isAlone} email={item} canCompose={canCompose} />
          ) : (
            <Fetched item={item} canCompose={canCompose} />
          )}
          {!isAlone && (
            <IconButton
              className={styles.fold}
              size="small"
              label={t.fold({ name })}
              icon={<ChevronUpRegular />}
              aria-expanded
              onClick={onToggle}
            />
          )}
        </div>
      </div>
    );
  }
  const doubt = doubtOf(item);
  return (
    <div {...root}>
      <button
        type="button"
        className={mergeClasses(styles.line, isUnread && styles.unread)}
        aria-expanded={false}
        onClick={onToggle}
      >
        {isUnread && <VisuallyHidden>{t.unread} </VisuallyHidden>}
        <span className={styles.who} dir="auto">
          {name}
        </span>
        <span className={styles.snippet} dir="auto">
          {'snippet' in item ? rowPreview({ body: item.snippet }) : ''}
        </span>
        {doubt && (
          <span className={styles.failed} role="img" aria-label={doubt} data-tip={doubt}>
            <ErrorCircleRegular />
          </span>
        )}
        {item.star_status && (
          <span className={styles.star} role="img" aria-label={one.starred} data-tip={one.starred}>
            <StarFilled />
          </span>
        )}
        {item.attachment_count > 0 && (
          <span className={styles.clip} role="img" aria-label={list.hasAttachments}>
            <AttachRegular />
          </span>
        )}
        <time className={styles.date} dateTime={item.createdAt} title={fullDate(item.createdAt)}>
          {rowDate(item.createdAt)}
        </time>
      </button>
    </div>
  );
}

/** A warning about the message in a sentence; null without a warning. */
function doubtOf(item: Reply | EmailDto): string | null {
  const found = 'warnings' in item ? item.warnings.find(({ code }) => code !== 'first_message') : item.doubt;
  if (found) return sentenceOf(found);
  return item.has_failed_check ? wordsOf(readingWords).failedCheck : null;
}

/**
 * The text is loaded when the message is about to be seen, because a person may open all of a long
 * conversation.
 */
function Fetched({ item, canCompose }: { item: Reply; canCompose: boolean }) {
  const t = useWords(readingWords);
  const ref = useRef<HTMLDivElement>(null);
  const isNear = useNear(ref);
  const { data, error, refetch } = useQuery({ ...aloneQuery(item._id), enabled: isNear });
  // The conversation has the newer flags
  const { read_status, star_status, archive_status, trash_status, junk_status } = item;
  const { snoozed_status, snoozed_until, own_folder } = item;
  const places = { archive_status, trash_status, junk_status, snoozed_status, snoozed_until, own_folder };
  const flags: Required<StatusPatch> = { read_status, star_status, ...places };
  if (data) return <OpenMessage isOneOfMany email={{ ...data, ...flags }} canCompose={canCompose} />;
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  return (
    <div ref={ref}>
      <Placeholder label={t.loading}>
        <Bar height={40} width="40%" />
        <Bar height={120} />
      </Placeholder>
    </div>
  );
}

const NEAR = '600px';

function useNear(ref: { current: HTMLElement | null }): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const element = ref.current;
    if (!element || isNear) return;
    const observer = new IntersectionObserver((seen) => seen.some((one) => one.isIntersecting) && setNear(true), {
      rootMargin: NEAR,
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref, isNear]);
  return isNear;
}
