import type { EmailRowDto } from '@selvage/core/contracts/email';
import { makeStyles, mergeClasses } from '@fluentui/react-components';
import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useHourly } from '../../hooks/use-hourly.ts';
import type { Selection } from '../../hooks/use-selection.ts';
import { useShortcuts } from '../../hooks/use-shortcuts.ts';
import { useWords } from '../../lib/i18n.ts';
import { can } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { fromHere } from '../../lib/origin.ts';
import { mailRows, scrollPane } from '../../theme/styles.ts';
import { mailListWords } from '../../words/mail-list.ts';
import { useLook } from '../../theme/look.ts';
import { dateGroupOf } from './date-groups.ts';
import { labelIn, type MailPlace, ownFolderIn } from './mail-place.ts';
import { MessageRow } from './MessageRow.tsx';
import { NewMessages } from './NewMessages.tsx';
import { usePane } from './pane.ts';
import { placedAt } from './row-words.ts';
import { emailQuery } from './queries.ts';
import { useBusy } from './use-busy.ts';
import { useHoverIntent } from './use-hover-intent.ts';
import { useRowActions } from './use-row-actions.tsx';
import { useRowChoice } from './use-row-choice.ts';
import { useRowFocus } from './use-row-focus.ts';
import { useSentDeliveries } from './use-sent-deliveries.ts';
import type { WholeFolderState } from './use-whole-folder.ts';

const useStyles = makeStyles({
  scroll: scrollPane,
  list: mailRows,
});

interface Props {
  folder: MailPlace;
  rows: EmailRowDto[];
  selection: Selection<EmailRowDto>;
  canCompose: boolean;
  /** Messages that have come and are not among the rows yet. */
  waiting: number;
  onShowWaiting: () => void;
  /**
   * Called when the person begins or ends work in the list: rows must not move under their pointer.
   */
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
  const addressOf = useAddresses(folder);
  const scrollRef = useRef<HTMLDivElement>(null);
  const state = fromHere(useLocation());
  const { focusedRow, rememberFocus, move } = useRowFocus(rows, scrollRef, state.from);
  const pane = usePane();
  const openId = pane?.openId ?? null;
  useShownRow(openId, scrollRef, rememberFocus);
  const isRelaxed = useLook().density === 'relaxed';
  const intent = useHoverIntent((id) => void client.prefetchQuery(emailQuery(id)));

  const sent = useSentDeliveries(folder === 'sent' ? rows : []);
  const actions = useRowActions({
    place: folder,
    rows,
    selection,
    whole,
    total,
    canCompose,
    focusedRow,
    addressOf,
    onOpen: (row) => void navigate(addressOf(row), { state }),
  });
  const choice = useRowChoice({ rows, selection, focusedRow, move });
  // The open message may have come before the rows, as when the page is loaded anew or turned
  useShortcuts({ j: () => move(1), k: () => move(-1), ...actions.keys, ...choice.keys }, pane !== null);
  useHourly();
  // Rows of Snoozed show when they come back, and not the day on which they came
  const headings = rows.map((row) => (folder === 'snoozed' ? undefined : dateGroupOf(placedAt(row))));

  return (
    <div ref={scrollRef} className={styles.scroll} {...useBusy(onBusy)}>
      <NewMessages number={waiting} scrollRef={scrollRef} onShow={onShowWaiting} />
      <ul
        className={mergeClasses(styles.list, actions.className)}
        aria-label={t.messages}
        onClick={goToOpen}
        {...actions.listens}
        {...choice.listens}
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
            onChange={actions.changeOf(row)}
            onEnter={() => intent.enter(row._id)}
            onLeave={intent.leave}
            onFocus={() => rememberFocus(row._id)}
          />
        ))}
      </ul>
      {actions.overlays}
    </div>
  );
}

/** Messages are opened below the inbox, by people who may view it. */
function useAddresses(folder: Props['folder']): (row: EmailRowDto) => string {
  const mayViewInbox = can(useCurrentUser(), { model: 'inbox', action: 'view' });
  const isBelowInbox = mayViewInbox || labelIn(folder) !== null || ownFolderIn(folder) !== null;
  return (row) => `/dashboard/${isBelowInbox ? 'inbox' : folder}/${row._id}`;
}

/** A press on the row of the open message moves the focus into the message beside the list. */
function goToOpen({ target }: { target: EventTarget }): void {
  const isOpen = target instanceof Element && target.closest('[data-row-link][aria-current]') !== null;
  if (isOpen) document.querySelector<HTMLElement>('[data-open-subject]')?.focus();
}

/**
 * Keeps the row of the open message in view, and keys go on from it. When the message is closed,
 * the row gets the focus back.
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
