import type { EmailRowDto } from '@selvage/core/contracts/mail';
import { makeStyles } from '@fluentui/react-components';
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { notify } from '../../components/feedback/notify.ts';
import { type Shortcuts, useShortcuts } from '../../hooks/use-shortcuts.ts';
import { useCompose } from './compose/compose-context.ts';
import type { Folder } from './folders.ts';
import { MessageRow } from './MessageRow.tsx';
import { emailQuery } from './queries.ts';
import type { StatusChange } from './use-change-status.ts';
import type { useListSelection } from './use-list-selection.ts';

const useStyles = makeStyles({
  list: { listStyleType: 'none', margin: 0, padding: 0 },
});

interface Props {
  folder: Folder;
  rows: EmailRowDto[];
  selection: ReturnType<typeof useListSelection>;
  canCompose: boolean;
  changeStatus: (change: StatusChange) => void;
  onHelp: () => void;
}

/** The rows of a page and the keys that work on them. */
export function MessageList({ folder, rows, selection, canCompose, changeStatus, onHelp }: Props) {
  const styles = useStyles();
  const client = useQueryClient();
  const location = useLocation();
  const state = { from: `${location.pathname}${location.search}` };
  const { listRef, focusedRow, rememberFocus, move } = useRowFocus(rows);

  const markRead = (row: EmailRowDto): void => {
    if (!row.read_status) changeStatus({ ids: [row._id], patch: { read_status: true } });
  };
  const toggleStar = (row: EmailRowDto): void =>
    changeStatus({ ids: [row._id], patch: { star_status: !row.star_status } });

  const targets = (): EmailRowDto[] => {
    const row = focusedRow();
    return selection.chosen.length > 0 ? selection.chosen : row ? [row] : [];
  };
  const act = (patch: StatusChange['patch'], said: string): void => {
    changeStatus({ ids: targets().map((row) => row._id), patch, said });
    selection.chooseAll(false);
  };
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    e: () =>
      folder === 'archive'
        ? act({ archive_status: false }, 'Moved out of the archive')
        : act({ archive_status: true }, 'Archived'),
    '#': () =>
      folder === 'trash' ? act({ trash_status: false }, 'Restored') : act({ trash_status: true }, 'Moved to trash'),
    s: () => targets().forEach(toggleStar),
    x: () => {
      const row = focusedRow();
      if (row) selection.choose(row._id, !selection.isChosen(row._id));
    },
    '?': onHelp,
    '/': onHelp,
    ...useAnswerKeys(focusedRow, canCompose),
  });

  return (
    <ul className={styles.list} ref={listRef} aria-label="Messages">
      {rows.map((row) => (
        <MessageRow
          key={row._id}
          row={row}
          to={`/dashboard/inbox/${row._id}`}
          state={state}
          isChosen={selection.isChosen(row._id)}
          onChoose={(isChosen) => selection.choose(row._id, isChosen)}
          onStar={() => toggleStar(row)}
          onOpen={() => markRead(row)}
          onHover={() => void client.prefetchQuery(emailQuery(row._id))}
          onFocus={() => rememberFocus(row._id)}
        />
      ))}
    </ul>
  );
}

/** Which row the keys act on: the one that was focused last. */
function useRowFocus(rows: EmailRowDto[]) {
  const listRef = useRef<HTMLUListElement>(null);
  const lastId = useRef<string | null>(null);
  const lastIndex = useRef(-1);

  const rememberFocus = (id: string): void => {
    lastId.current = id;
    lastIndex.current = rows.findIndex((row) => row._id === id);
  };
  const focusedRow = (): EmailRowDto | undefined => rows.find((row) => row._id === lastId.current);
  const move = (step: 1 | -1): void => {
    const index = rows.findIndex((row) => row._id === lastId.current);
    // the row may have been archived away: go on from where it stood
    const start = index >= 0 ? index + step : step > 0 ? Math.max(lastIndex.current, 0) : lastIndex.current - 1;
    const target = Math.min(Math.max(start, 0), rows.length - 1);
    listRef.current?.querySelectorAll<HTMLElement>('[data-row-link]')[target]?.focus();
  };
  return { listRef, focusedRow, rememberFocus, move };
}

function useAnswerKeys(focusedRow: () => EmailRowDto | undefined, canCompose: boolean): Shortcuts {
  const client = useQueryClient();
  const compose = useCompose();
  const withEmail = async (kind: 'reply' | 'replyAll' | 'forward'): Promise<void> => {
    const row = focusedRow();
    if (!row) return;
    try {
      const email = await client.ensureQueryData(emailQuery(row._id));
      compose(kind === 'forward' ? { kind, email } : { kind: 'reply', email, isToAll: kind === 'replyAll' });
    } catch (error) {
      notify.error(error);
    }
  };
  if (!canCompose) return {};
  return {
    r: () => void withEmail('reply'),
    a: () => void withEmail('replyAll'),
    f: () => void withEmail('forward'),
    c: () => compose({ kind: 'new' }),
  };
}
