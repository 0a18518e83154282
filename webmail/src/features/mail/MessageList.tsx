import { type EmailDto, type EmailRowDto } from '@selvage/core/contracts/mail';
import { makeStyles } from '@fluentui/react-components';
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { notify } from '../../components/feedback/notify.ts';
import type { Selection } from '../../hooks/use-selection.ts';
import { type Shortcuts, useShortcuts } from '../../hooks/use-shortcuts.ts';
import { useWords } from '../../lib/i18n.ts';
import { can } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { fromHere } from '../../lib/origin.ts';
import { scrollPane } from '../../theme/styles.ts';
import { mailListWords } from '../../words/mail-list.ts';
import { useLook } from '../../theme/look.ts';
import { openCompose } from './compose/compose-store.ts';
import { dateGroupOf } from './date-groups.ts';
import { type Folder, mayBeJunk } from './folders.ts';
import { MessageRow } from './MessageRow.tsx';
import { NewMessages } from './NewMessages.tsx';
import { emailQuery } from './queries.ts';
import { type StatusPatch, useChangeStatus } from './use-change-status.ts';
import { useHoverIntent } from './use-hover-intent.ts';
import { useMayChange } from './use-may-change.ts';
import { useRowFocus } from './use-row-focus.ts';

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
}

/** The rows of a page and the keys that work on them. */
export function MessageList({ folder, rows, selection, canCompose, waiting, onShowWaiting, onBusy }: Props) {
  const styles = useStyles();
  const t = useWords(mailListWords);
  const client = useQueryClient();
  const changeStatus = useChangeStatus();
  const mayChange = useMayChange();
  // Messages are opened below the inbox, by people who may view it
  const folderOfLinks = can(useCurrentUser(), { model: 'inbox', action: 'view' }) ? 'inbox' : folder;
  const scrollRef = useRef<HTMLDivElement>(null);
  const state = fromHere(useLocation());
  const { focusedRow, rememberFocus, move } = useRowFocus(rows, scrollRef, state.from);
  const isRelaxed = useLook().density === 'relaxed';
  const intent = useHoverIntent((id) => void client.prefetchQuery(emailQuery(id)));

  const toggleStar = (row: EmailRowDto): void =>
    void changeStatus({ records: [row], patch: { star_status: !row.star_status } });
  const targets = (): EmailRowDto[] => {
    const row = focusedRow();
    return selection.chosen.length > 0 ? selection.chosen : row ? [row] : [];
  };
  const act = (patch: StatusPatch, isMeant: (row: EmailRowDto) => boolean = () => true): void => {
    const records = targets().filter(isMeant);
    if (records.length === 0) return;
    void changeStatus({ records, patch, isSaid: true });
    selection.chooseAll(false);
  };
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    e: () => act({ archive_status: folder !== 'archive' }),
    '#': () => act({ trash_status: folder !== 'trash' }),
    '!': () => act({ junk_status: folder !== 'junk' }, mayBeJunk),
    s: () => targets().forEach(toggleStar),
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
      <ul className={styles.list} aria-label={t.messages}>
        {rows.map((row, index) => (
          <MessageRow
            key={row._id}
            row={row}
            to={`/dashboard/${folderOfLinks}/${row._id}`}
            state={state}
            isChosen={selection.isChosen(row._id)}
            onChoose={(isChosen, isRange) => selection.choose(row._id, isChosen, isRange)}
            heading={headings[index] === headings[index - 1] ? undefined : headings[index]}
            isRelaxed={isRelaxed}
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
    </div>
  );
}

/** Keys that answer the row with the focus. */
function useAnswerKeys(focusedRow: () => EmailRowDto | undefined, canCompose: boolean): Shortcuts {
  const client = useQueryClient();
  const withEmail = async (answer: (email: EmailDto) => void): Promise<void> => {
    const row = focusedRow();
    if (!row) return;
    try {
      answer(await client.ensureQueryData(emailQuery(row._id)));
    } catch (error) {
      notify.error(error);
    }
  };
  if (!canCompose) return {};
  return {
    r: () => void withEmail((email) => openCompose({ kind: 'reply', email, isToAll: false })),
    a: () => void withEmail((email) => openCompose({ kind: 'reply', email, isToAll: true })),
    f: () => void withEmail((email) => openCompose({ kind: 'forward', email })),
  };
}
