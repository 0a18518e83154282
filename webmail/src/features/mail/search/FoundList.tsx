import type { EmailRowDto } from '@selvage/core/contracts/email';
import { removeDrafts } from '@selvage/core/contracts/drafts';
import { sendEmail } from '@selvage/core/contracts/mail';
import type { SearchRowDto } from '@selvage/core/contracts/search';
import { makeStyles, mergeClasses } from '@fluentui/react-components';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useHourly } from '../../../hooks/use-hourly.ts';
import type { Selection } from '../../../hooks/use-selection.ts';
import { useShortcuts } from '../../../hooks/use-shortcuts.ts';
import { can } from '../../../lib/can.ts';
import { useCurrentUser } from '../../../lib/current-user.ts';
import { useWords } from '../../../lib/i18n.ts';
import { fromHere } from '../../../lib/origin.ts';
import { mailRows, scrollPane } from '../../../theme/styles.ts';
import { searchWords } from '../../../words/search.ts';
import { dateGroupOf } from '../date-groups.ts';
import { DeleteDraftsDialog, type ShownDraft } from '../DeleteDraftsDialog.tsx';
import { NewMessages } from '../NewMessages.tsx';
import { emailQuery } from '../queries.ts';
import { useBusy } from '../use-busy.ts';
import { useHoverIntent } from '../use-hover-intent.ts';
import { useRowActions } from '../use-row-actions.tsx';
import { useRowChoice } from '../use-row-choice.ts';
import { useRowFocus } from '../use-row-focus.ts';
import { noWhole } from '../use-whole-folder.ts';
import { addressOf, isMessage, shownDraft } from './found-place.ts';
import { SearchRow } from './SearchRow.tsx';

const useStyles = makeStyles({
  list: mailRows,
  pane: scrollPane,
});

interface Props {
  rows: readonly SearchRowDto[];
  selection: Selection<SearchRowDto>;
  /** Rows on all pages. */
  total: number;
  /** Messages that were found since and are not among the rows yet. */
  waiting: number;
  onShowWaiting: () => void;
  /** Called when the person begins or ends work in the list, as in a folder. */
  onBusy: (isBusy: boolean) => void;
}

/** What was found, under the days on which it came, and the keys that work on it. */
export function FoundList({ rows, selection, total, waiting, onShowWaiting, onBusy }: Props) {
  const styles = useStyles();
  const t = useWords(searchWords);
  const client = useQueryClient();
  const navigate = useNavigate();
  const person = useCurrentUser();
  const paneRef = useRef<HTMLDivElement>(null);
  const state = fromHere(useLocation());
  const { focusedRow, rememberFocus, move } = useRowFocus(rows, paneRef, state.from);
  const intent = useHoverIntent((id) => void client.prefetchQuery(emailQuery(id)));
  const messages = rows.filter(isMessage);
  // Drafts have no flags to change: what changes messages passes over those among them
  const chosen = selection.chosen.filter(isMessage);
  const hasDraftsAlone = chosen.length === 0 && selection.chosen.length > 0;
  const focusedMessage = (): SearchRowDto | undefined => {
    const row = focusedRow();
    return hasDraftsAlone || !row || !isMessage(row) ? undefined : row;
  };
  const addressIn = ({ _id }: EmailRowDto): string => {
    const row = rows.find((other) => other._id === _id);
    return row ? addressOf(row) : state.from;
  };
  const actions = useRowActions({
    place: null,
    rows: messages,
    selection: { ...selection, chosen },
    whole: noWhole,
    total,
    canCompose: can(person, sendEmail),
    focusedRow: focusedMessage,
    addressOf: addressIn,
    onOpen: (row) => void navigate(addressIn(row), { state }),
  });
  const [asked, setAsked] = useState<ShownDraft[] | null>(null);
  const askToDelete = (drafts: readonly (SearchRowDto | undefined)[]): void => {
    const shown = drafts.flatMap((row) => (row && shownDraft(row)) ?? []);
    if (shown.length > 0) setAsked(shown);
  };
  const mayDelete = can(person, removeDrafts);
  const remove = (): void => {
    const isOfMessages = chosen.length > 0 || focusedMessage() !== undefined;
    if (isOfMessages) actions.keys['#']?.();
    else if (mayDelete) askToDelete(hasDraftsAlone ? selection.chosen : [focusedRow()]);
  };
  const choice = useRowChoice({ rows, selection, focusedRow, move });
  useShortcuts({ j: () => move(1), k: () => move(-1), ...actions.keys, '#': remove, ...choice.keys });
  useHourly();
  const headings = rows.map((row) => dateGroupOf(row.createdAt));
  return (
    <div ref={paneRef} className={styles.pane} {...useBusy(onBusy)}>
      <NewMessages number={waiting} scrollRef={paneRef} onShow={onShowWaiting} />
      <ul
        className={mergeClasses(styles.list, actions.className)}
        aria-label={t.results}
        {...actions.listens}
        {...choice.listens}
      >
        {rows.map((row, index) => (
          <SearchRow
            key={row._id}
            row={row}
            state={state}
            heading={headings[index] === headings[index - 1] ? undefined : headings[index]}
            isChosen={selection.isChosen(row._id)}
            onChoose={(isChosen, isRange) => selection.choose(row._id, isChosen, isRange)}
            onChange={isMessage(row) ? actions.changeOf(row) : undefined}
            onDelete={mayDelete && !isMessage(row) ? () => askToDelete([row]) : undefined}
            onEnter={() => isMessage(row) && intent.enter(row._id)}
            onLeave={intent.leave}
            onFocus={() => rememberFocus(row._id)}
          />
        ))}
      </ul>
      {actions.overlays}
      {asked && <DeleteDraftsDialog drafts={asked} onClose={() => setAsked(null)} />}
    </div>
  );
}
