import type { EmailRowDto } from '@selvage/core/contracts/email';
import { makeStyles, mergeClasses } from '@fluentui/react-components';
import { useQueryClient } from '@tanstack/react-query';
import { type HTMLAttributes, type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { Selection } from '../../hooks/use-selection.ts';
import { type Shortcuts, useShortcuts } from '../../hooks/use-shortcuts.ts';
import { useWords } from '../../lib/i18n.ts';
import { can } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { fromHere } from '../../lib/origin.ts';
import { scrollPane } from '../../theme/styles.ts';
import { mailListWords } from '../../words/mail-list.ts';
import { useLook } from '../../theme/look.ts';
import { dateGroupOf } from './date-groups.ts';
import { labelIn, type MailPlace, ownFolderIn } from './mail-place.ts';
import { askMove } from './own-folders/moving.ts';
import { openLabelMenu } from './labels/label-menu.ts';
import { useChangeLabels } from './labels/use-change-labels.ts';
import { MessageRow } from './MessageRow.tsx';
import { NewMessages } from './NewMessages.tsx';
import { usePane } from './pane.ts';
import { placedAt } from './row-words.ts';
import { askSnooze, maySnooze } from './snoozing.ts';
import { emailQuery } from './queries.ts';
import { useActOn } from './use-act-on.ts';
import { type AnswerKind, useAnswers } from './use-answers.ts';
import { type StatusPatch, useChangeStatus } from './use-change-status.ts';
import { useHoverIntent } from './use-hover-intent.ts';
import { useMayChange } from './use-may-change.ts';
import { useRowChoice } from './use-row-choice.ts';
import { useRowDrag } from './use-row-drag.ts';
import { useRowFocus } from './use-row-focus.ts';
import { useSentDeliveries } from './use-sent-deliveries.ts';
import { linkOf, useRowMenu } from './use-row-menu.tsx';
import { useRowSwipe } from './use-row-swipe.tsx';
import type { WholeFolderState } from './use-whole-folder.ts';

const useStyles = makeStyles({
  scroll: scrollPane,
  list: { listStyleType: 'none', margin: 0, padding: 0 },
});

interface Props {
  folder: MailPlace;
  rows: EmailRowDto[];
  selection: Selection<EmailRowDto>;
  canCompose: boolean;
  /** Messages that have come and are not among the rows yet. */
  waiting: number;
  onShowWaiting: () => void;
  /** The person is at work in the list: rows must not move under their pointer. */
  onBusy: (isBusy: boolean) => void;
  whole: WholeFolderState;
  /** Rows on all pages. */
  total: number;
}

/** Keys that do the same in every folder. */
function plainKeys(move: (step: 1 | -1) => void, act: (patch: StatusPatch) => void): Shortcuts {
  return {
    j: () => move(1),
    k: () => move(-1),
    I: () => act({ read_status: true }),
    U: () => act({ read_status: false }),
  };
}

/** The rows of a page and the keys that work on them. */
export function MessageList(props: Props) {
  const { folder, rows, selection, canCompose, waiting, onShowWaiting, onBusy, whole, total } = props;
  const styles = useStyles();
  const t = useWords(mailListWords);
  const client = useQueryClient();
  const navigate = useNavigate();
  const changeStatus = useChangeStatus();
  const changeLabels = useChangeLabels();
  const mayChange = useMayChange();
  const addressOf = useAddresses(folder);
  const scrollRef = useRef<HTMLDivElement>(null);
  const state = fromHere(useLocation());
  const { focusedRow, rememberFocus, move } = useRowFocus(rows, scrollRef, state.from);
  const pane = usePane();
  const openId = pane?.openId ?? null;
  useShownRow(openId, scrollRef, rememberFocus);
  const isRelaxed = useLook().density === 'relaxed';
  const intent = useHoverIntent((id) => void client.prefetchQuery(emailQuery(id)));

  const toggleStar = (row: EmailRowDto): void =>
    void changeStatus({ records: [row], patch: { star_status: !row.star_status } });
  const targets = (): EmailRowDto[] => {
    const row = focusedRow();
    return selection.chosen.length > 0 ? selection.chosen : row ? [row] : [];
  };
  const sent = useSentDeliveries(folder === 'sent' ? rows : []);
  const actOn = useActOn(selection, whole);
  const act = (patch: StatusPatch): void => actOn(targets(), patch);
  /** What an action at a row means: the row alone, or all chosen ones when it is one of them. */
  const meantBy = (row: EmailRowDto): EmailRowDto[] => (selection.isChosen(row._id) ? selection.chosen : [row]);
  const askFolder = folderAsker(mayChange, actOn);
  const { menu, onContextMenu } = useRowMenu({
    rows,
    selection,
    chosenNumber: whole.chosen ? total : undefined,
    canCompose,
    mayChange,
    onChange: (row, patch) => actOn(meantBy(row), patch),
    addressOf,
    onOpen: (row) => void navigate(addressOf(row), { state }),
    onMove: whole.chosen ? undefined : (row) => askFolder(meantBy(row)),
    onLabel: whole.chosen ? undefined : (row) => openLabelMenu(linkOf(row._id), meantBy(row).filter(mayChange)),
  });
  const drag = useRowDrag({
    rows,
    meantBy,
    mayChange,
    chosenNumber: whole.chosen ? total : undefined,
    onDrop: (row, patch) => actOn(meantBy(row), patch),
    onLabel: whole.chosen ? undefined : (row, label) => void changeLabels({ records: meantBy(row), label, isOn: true }),
  });
  const swipe = useRowSwipe({
    rows,
    mayChange,
    onSwiped: selection.chosen.length > 0 ? undefined : (row, patch) => actOn([row], patch),
  });
  const choice = useRowChoice({ rows, selection, focusedRow, move });
  useShortcuts({
    ...plainKeys(move, act),
    e: () => act({ archive_status: folder !== 'archive' }),
    '#': () => act({ trash_status: folder !== 'trash' }),
    '!': () => act({ junk_status: folder !== 'junk' }),
    b: () => {
      const meant = targets();
      const canBe = !whole.chosen && meant.some(mayChange) && meant.every(maySnooze);
      if (canBe) askSnooze(meant, (patch) => actOn(meant, patch));
    },
    ...(!whole.chosen && { v: () => askFolder(targets()) }),
    s: () => (whole.chosen ? act({ star_status: true }) : targets().forEach(toggleStar)),
    ...(!whole.chosen && { l: () => openLabelMenu(placeOfMenu(focusedRow()), targets().filter(mayChange)) }),
    ...choice.keys,
    ...useAnswerKeys(focusedRow, canCompose),
  });
  const showWaiting = (): void => {
    onShowWaiting();
    scrollRef.current?.scrollTo({ top: 0 });
  };
  // Rows of Snoozed show when they come back, and not the day on which they came
  const headings = rows.map((row) => (folder === 'snoozed' ? undefined : dateGroupOf(placedAt(row))));

  return (
    <div ref={scrollRef} className={styles.scroll} {...useBusy(onBusy)}>
      <NewMessages number={waiting} onShow={showWaiting} />
      <ul
        className={mergeClasses(styles.list, swipe.className)}
        aria-label={t.messages}
        onClick={goToOpen}
        onContextMenu={onContextMenu}
        {...drag}
        {...choice.listens}
        {...swipe.listens}
      >
        {rows.map((row, index) => (
          <MessageRow
            key={row._id}
            row={row}
            sent={sent.get(row._id)}
            to={addressOf(row)}
            state={state}
            isChosen={selection.isChosen(row._id)}
            onChoose={(isChosen, isRange) => selection.choose(row._id, isChosen, isRange)}
            heading={headings[index] === headings[index - 1] ? undefined : headings[index]}
            isInSnoozed={folder === 'snoozed'}
            isRelaxed={isRelaxed && pane?.place !== 'right'}
            isStacked={pane?.place === 'right'}
            isOpen={row._id === openId}
            onChange={
              mayChange(row)
                ? (patch, isSaid = true) => void changeStatus({ records: [row], patch, isSaid })
                : undefined
            }
            onEnter={() => intent.enter(row._id)}
            onLeave={intent.leave}
            onFocus={() => rememberFocus(row._id)}
          />
        ))}
      </ul>
      {swipe.hint}
      {menu}
    </div>
  );
}

/** Messages are opened below the inbox, by people who may view it. */
function useAddresses(folder: Props['folder']): (row: EmailRowDto) => string {
  const mayViewInbox = can(useCurrentUser(), { model: 'inbox', action: 'view' });
  const isBelowInbox = mayViewInbox || labelIn(folder) !== null || ownFolderIn(folder) !== null;
  return (row) => `/dashboard/${isBelowInbox ? 'inbox' : folder}/${row._id}`;
}

/** Asks to which folder records are moved. */
function folderAsker(
  mayChange: (row: EmailRowDto) => boolean,
  actOn: (records: readonly EmailRowDto[], patch: StatusPatch) => void,
) {
  return (records: readonly EmailRowDto[]): void =>
    askMove(records.filter(mayChange), (patch) => actOn(records, patch));
}

/** Tells when the person begins to be at work in the list, and when that ends. */
function useBusy(onBusy: Props['onBusy']): HTMLAttributes<HTMLElement> {
  const busy = useRef({ isHovered: false, isScrolled: false });
  const note = (change: Partial<typeof busy.current>): void => {
    const { isHovered, isScrolled } = busy.current;
    const next = { isHovered, isScrolled, ...change };
    if (next.isHovered === isHovered && next.isScrolled === isScrolled) return;
    busy.current = next;
    onBusy(next.isHovered || next.isScrolled);
  };
  return {
    onScroll: ({ currentTarget }) => note({ isScrolled: currentTarget.scrollTop > 0 }),
    // a pane that appears under the pointer is entered without a word
    onPointerMove: ({ pointerType }) => pointerType === 'mouse' && note({ isHovered: true }),
    onPointerLeave: () => note({ isHovered: false }),
  };
}

/** The menu of labels stands at the button of the bar, or at the row with the focus. */
function placeOfMenu(row: EmailRowDto | undefined): HTMLElement | null {
  return document.querySelector<HTMLElement>('[data-label-button="list"]') ?? (row ? linkOf(row._id) : null);
}

/** A press on the row of the open message leads into the message beside the list. */
function goToOpen({ target }: { target: EventTarget }): void {
  const isOpen = target instanceof Element && target.closest('[data-row-link][aria-current]') !== null;
  if (isOpen) document.querySelector<HTMLElement>('[data-open-subject]')?.focus();
}

/**
 * Keeps the row of the open message in view, as the one from which keys go on. When the message is
 * closed, the focus comes back to it.
 */
function useShownRow(id: string | null, scrollRef: RefObject<HTMLElement | null>, remember: (id: string) => void) {
  const last = useRef<string | null>(null);
  const show = useEffectEvent((shown: string | null): void => {
    const rowOf = (entry: string) => scrollRef.current?.querySelector(`[data-entry="${CSS.escape(entry)}"]`);
    if (shown !== null) {
      remember(shown);
      rowOf(shown)?.scrollIntoView({ block: 'nearest' });
    } else if (last.current !== null && document.activeElement === document.body) {
      rowOf(last.current)?.querySelector<HTMLElement>('[data-row-link]')?.focus();
    }
    last.current = shown;
  });
  useEffect(() => show(id), [id]);
}

/** Keys that answer the row with the focus. */
function useAnswerKeys(focusedRow: () => EmailRowDto | undefined, canCompose: boolean): Shortcuts {
  const answer = useAnswers();
  const answerFocused = (kind: AnswerKind) => (): void => {
    const row = focusedRow();
    if (row) answer(row._id, kind);
  };
  if (!canCompose) return {};
  return { r: answerFocused('reply'), a: answerFocused('replyAll'), f: answerFocused('forward') };
}
