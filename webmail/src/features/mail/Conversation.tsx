import type { EmailDto } from '@selvage/core/contracts/email';
import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { PrintRegular } from '@fluentui/react-icons/svg/print';
import { useQuery } from '@tanstack/react-query';
import { type MouseEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { notify } from '../../components/feedback/notify.ts';
import { LazyMenu, lazyMenu } from '../../components/LazyMenu.tsx';
import { PASS_ON, type Shortcuts, useShortcuts } from '../../hooks/use-shortcuts.ts';
import { useWords } from '../../lib/i18n.ts';
import { readingWords } from '../../words/reading.ts';
import { focusedId, isInList, keepFocus, stepFocus } from './focused-message.ts';
import { wholeConversationQuery } from './queries.ts';
import { ThreadMessage } from './ThreadMessage.tsx';
import { usePrintAll } from './use-print.ts';
import { useRest } from './use-rest.ts';

const useStyles = makeStyles({
  alone: { display: 'contents' },
  root: { display: 'flex', flexDirection: 'column', flexShrink: 0 },
  head: {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: tokens.spacingHorizontalM,
    minHeight: '32px',
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
  },
  choices: { display: 'flex', gap: tokens.spacingHorizontalXS },
});

const menu = lazyMenu(() => import('../../components/list/RowMenu.tsx'));

// A ref function that stays the same is called once for each mount
function showOnce(message: HTMLElement | null): void {
  if (message && message.getBoundingClientRect().top > window.innerHeight / 2) message.scrollIntoView();
}

/** Messages that are open at first because they were unread: the newest of these. */
const MOST_OPEN = 5;

interface Props {
  email: EmailDto;
  canCompose: boolean;
}

/** The conversation with all of its messages, once they were asked for. */
function useWhole(id: string) {
  const [isWanted, setWanted] = useState(false);
  const { data: whole, error, isFetching } = useQuery({ ...wholeConversationQuery(id), enabled: isWanted });
  // Only a failed first load is shown, and only after the person has asked for it
  const failure = isWanted && !isFetching && !whole ? error : null;
  useEffect(() => {
    if (!failure) return;
    // The button asks again
    setWanted(false);
    notify.error(failure);
  }, [failure]);
  return { whole, isFetching, fetch: () => setWanted(true) };
}

/**
 * The button that asks for the earlier messages leaves when they have come. A person who pressed it
 * by a key then has the focus on the first of them. After a press by mouse, no message gets it: the
 * keys would act on a message that nothing marks.
 */
function useFocusOnEarlier(haveCome: boolean) {
  const sectionRef = useRef<HTMLElement>(null);
  const isPressedByKey = useRef(false);
  useEffect(() => {
    if (!haveCome || !isPressedByKey.current || document.activeElement !== document.body) return;
    sectionRef.current?.querySelector<HTMLElement>('[data-message]')?.focus();
  }, [haveCome]);
  const notePress = ({ currentTarget }: MouseEvent<HTMLElement>): void => {
    isPressedByKey.current = currentTarget.matches(':focus-visible');
  };
  return { sectionRef, notePress };
}

/**
 * When the message with the focus leaves, such as by its menu, the message in its place gets the
 * focus. The last one leaves it to the subject. A focus that a press by mouse has set is let go.
 */
function useFocusOnNext(sectionRef: RefObject<HTMLElement | null>, items: readonly { _id: string }[]) {
  const last = useRef<{ id: string; index: number } | null>(null);
  useEffect(() => {
    const { id, index = 0 } = last.current ?? {};
    if (id === undefined || items.some(({ _id }) => _id === id)) return;
    last.current = null;
    if (document.activeElement !== document.body) return;
    const all = sectionRef.current?.querySelectorAll<HTMLElement>('[data-message]') ?? [];
    const next = all[Math.min(index, all.length - 1)] ?? document.querySelector<HTMLElement>('[data-open-subject]');
    next?.focus({ preventScroll: true });
  });
  return (): void => {
    const id = focusedId();
    if (id === null) return;
    const isByKey = document.activeElement?.matches(':focus-visible') === true;
    last.current = isByKey ? { id, index: items.findIndex(({ _id }) => _id === id) } : null;
  };
}

/** Which of the messages are open. One that was open once stays so until the person folds it. */
function useOpenItems(email: EmailDto, items: readonly { _id: string; read_status: boolean }[]) {
  const [toggled, setToggled] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [allOpen, setAllOpen] = useState<boolean | null>(null);
  // Opening marks them read, and they stay open all the same
  const unread = useRef(new Set<string>()).current;
  for (const { _id, read_status } of items) if (!read_status) unread.add(_id);
  const openAtFirst = useRef(new Set<string>()).current;
  const others = items.filter(({ _id }) => _id !== email._id);
  const unreadOthers = others.filter(({ _id }) => unread.has(_id)).slice(-MOST_OPEN);
  for (const { _id } of [email, ...items.slice(-1), ...unreadOthers]) openAtFirst.add(_id);
  const isOpen = (id: string): boolean => toggled.get(id) ?? allOpen ?? openAtFirst.has(id);
  return {
    isOpen,
    isUnread: (id: string): boolean => unread.has(id) && !toggled.has(id),
    firstOpen: items.find(({ _id }) => openAtFirst.has(_id))?._id,
    setAll: (areOpen: boolean): void => {
      keepFocus();
      setToggled(new Map());
      setAllOpen(areOpen);
    },
    toggle: (id: string): void => {
      keepFocus();
      setToggled(new Map(toggled).set(id, !isOpen(id)));
    },
  };
}

/** A message without others has no keys of a conversation. */
const noKeys: Shortcuts = {};

/**
 * The messages of a conversation in their order. The open one, the newest, and those that had not
 * been read are whole, the others lines. A message without others is shown by itself.
 */
export function Conversation({ email, canCompose }: Props) {
  const styles = useStyles();
  const t = useWords(readingWords);
  const { whole, isFetching, fetch } = useWhole(email._id);
  const { sectionRef, notePress } = useFocusOnEarlier(whole !== undefined);
  const isAlone = email.replies.length === 0 && email.earlier_replies === 0;
  const { replies, earlier_replies: earlier } = useRest(isAlone ? email : (whole ?? email));
  const items = [...replies, email].sort((one, other) => one.createdAt.localeCompare(other.createdAt));
  const noteFocus = useFocusOnNext(sectionRef, items);
  const { isOpen, isUnread, firstOpen, setAll, toggle } = useOpenItems(email, items);
  const keys: Shortcuts = {
    n: () => stepFocus(1, email._id),
    p: () => stepFocus(-1, email._id),
    // In the list beside it, the key opens a row
    o: () => (isInList() ? PASS_ON : toggle(focusedId() ?? email._id)),
    ';': () => setAll(true),
    ':': () => setAll(false),
  };
  useShortcuts(isAlone ? noKeys : keys);
  const isEachOpen = items.every(({ _id }) => isOpen(_id));
  return (
    <section
      ref={sectionRef}
      onFocus={noteFocus}
      className={isAlone ? styles.alone : styles.root}
      aria-label={isAlone ? undefined : t.conversation}
    >
      {!isAlone && (
        <Head
          email={email}
          number={items.length + earlier}
          isEachOpen={isEachOpen}
          onSetAll={() => setAll(!isEachOpen)}
        />
      )}
      {earlier > 0 && !whole && (
        <Button
          size="small"
          appearance="subtle"
          disabledFocusable={isFetching}
          onClick={(event) => {
            notePress(event);
            fetch();
          }}
        >
          {t.showEarlier(earlier)}
        </Button>
      )}
      {items.map((item) => (
        <ThreadMessage
          key={item._id}
          item={item}
          isAlone={isAlone}
          isOpen={isAlone || isOpen(item._id)}
          isUnread={isUnread(item._id)}
          canCompose={canCompose}
          ref={item._id === firstOpen ? showOnce : undefined}
          onToggle={() => toggle(item._id)}
        />
      ))}
    </section>
  );
}

interface HeadProps {
  email: EmailDto;
  number: number;
  isEachOpen: boolean;
  onSetAll: () => void;
}

/** How many messages there are, and what is done with all of them. */
function Head({ email, number, isEachOpen, onSetAll }: HeadProps) {
  const styles = useStyles();
  const t = useWords(readingWords);
  const printAll = usePrintAll(email);
  return (
    <div className={styles.head}>
      <span>{t.conversationOf(number)}</span>
      <span className={styles.choices}>
        <LazyMenu
          size="small"
          label={t.printAll}
          icon={<PrintRegular />}
          menu={menu}
          items={[
            { label: t.withoutQuotes, run: () => printAll(false) },
            { label: t.withQuotes, run: () => printAll(true) },
          ]}
        />
        <Button size="small" appearance="subtle" onClick={onSetAll}>
          {isEachOpen ? t.collapseAll : t.expandAll}
        </Button>
      </span>
    </div>
  );
}
