import type { EmailRowDto } from '@selvage/core/contracts/email';
import { makeStyles } from '@fluentui/react-components';
import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
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
import { mayBeJunk } from './folder-rules.ts';
import type { Folder } from './folders.ts';
import { MessageRow } from './MessageRow.tsx';
import { NewMessages } from './NewMessages.tsx';
import { usePane } from './pane.ts';
import { emailQuery } from './queries.ts';
import { type AnswerKind, useAnswers } from './use-answers.ts';
import { type StatusPatch, useChangeStatus } from './use-change-status.ts';
import { useHoverIntent } from './use-hover-intent.ts';
import { useMayChange } from './use-may-change.ts';
import { useRowDrag } from './use-row-drag.ts';
import { useRowFocus } from './use-row-focus.ts';
import { useRowMenu } from './use-row-menu.tsx';
import type { WholeFolderState } from './use-whole-folder.ts';

const useStyles = makeStyles({
  scroll: scrollPane,
  list: { listStyleType: 'none', margin: 0, padding: 0 },
});

interface Props {
  folder: Folder;
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

/** The rows of a page and the keys that work on them. */
export function MessageList(props: Props) {
  const { folder, rows, selection, canCompose, waiting, onShowWaiting, onBusy, whole, total } = props;
  const styles = useStyles();
  const t = useWords(mailListWords);
  const client = useQueryClient();
  const navigate = useNavigate();
  const changeStatus = useChangeStatus();
  const mayChange = useMayChange();
  // Messages are opened below the inbox, by people who may view it
  const folderOfLinks = can(useCurrentUser(), { model: 'inbox', action: 'view' }) ? 'inbox' : folder;
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
  const actOn = (records: readonly EmailRowDto[], patch: StatusPatch): void => {
    const isOfChosen = records === selection.chosen;
    if (isOfChosen && whole.isMarking) return;
    if (isOfChosen && whole.chosen) {
      whole.ask(patch);
      return;
    }
    // Nothing that the person has sent is junk
    const meant = patch.junk_status === undefined ? records : records.filter(mayBeJunk);
    if (meant.length === 0) return;
    void changeStatus({ records: meant, patch, isSaid: true });
    if (isOfChosen) selection.chooseAll(false);
  };
  const act = (patch: StatusPatch): void => actOn(targets(), patch);
  /** What an action at a row means: the row alone, or all chosen ones when it is one of them. */
  const meantBy = (row: EmailRowDto): EmailRowDto[] => (selection.isChosen(row._id) ? selection.chosen : [row]);
  const addressOf = (row: EmailRowDto): string => `/dashboard/${folderOfLinks}/${row._id}`;
  const { menu, onContextMenu } = useRowMenu({
    rows,
    selection,
    chosenNumber: whole.chosen ? total : undefined,
    canCompose,
    mayChange,
    onChange: (row, patch) => actOn(meantBy(row), patch),
    addressOf,
    onOpen: (row) => void navigate(addressOf(row), { state }),
  });
  const drag = useRowDrag({
    rows,
    meantBy,
    mayChange,
    chosenNumber: whole.chosen ? total : undefined,
    onDrop: (row, patch) => actOn(meantBy(row), patch),
  });
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    e: () => act({ archive_status: folder !== 'archive' }),
    '#': () => act({ trash_status: folder !== 'trash' }),
    '!': () => act({ junk_status: folder !== 'junk' }),
    s: () => (whole.chosen ? act({ star_status: true }) : targets().forEach(toggleStar)),
    x: () => {
      const row = focusedRow();
      if (row) selection.choose(row._id, !selection.isChosen(row._id));
    },
    ...useAnswerKeys(focusedRow, canCompose),
  });
  const busy = useRef({ isHovered: false, isScrolled: false });
  const note = (change: Partial<typeof busy.current>): void => {
    Object.assign(busy.current, change);
    onBusy(busy.current.isHovered || busy.current.isScrolled);
  };
  const showWaiting = (): void => {
    onShowWaiting();
    scrollRef.current?.scrollTo({ top: 0 });
  };
  const headings = rows.map((row) => dateGroupOf(row.createdAt));

  return (
    <div
      ref={scrollRef}
      className={styles.scroll}
      onScroll={({ currentTarget }) => note({ isScrolled: currentTarget.scrollTop > 0 })}
      // a pane that appears under the pointer is entered without a word
      onPointerMove={({ pointerType }) =>
        pointerType === 'mouse' && !busy.current.isHovered && note({ isHovered: true })
      }
      onPointerLeave={() => note({ isHovered: false })}
    >
      <NewMessages number={waiting} onShow={showWaiting} />
      <ul className={styles.list} aria-label={t.messages} onClick={goToOpen} onContextMenu={onContextMenu} {...drag}>
        {rows.map((row, index) => (
          <MessageRow
            key={row._id}
            row={row}
            to={addressOf(row)}
            state={state}
            isChosen={selection.isChosen(row._id)}
            onChoose={(isChosen, isRange) => selection.choose(row._id, isChosen, isRange)}
            heading={headings[index] === headings[index - 1] ? undefined : headings[index]}
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
      {menu}
    </div>
  );
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
