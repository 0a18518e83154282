import { type DraftRowDto, listDrafts, removeDrafts } from '@selvage/core/contracts/drafts';
import { makeStyles } from '@fluentui/react-components';
import { DeleteRegular } from '@fluentui/react-icons/svg/delete';
import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import { MailDrawing } from '../../components/drawings.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { StatusPage } from '../../components/page/StatusPage.tsx';
import { Toolbar } from '../../components/Toolbar.tsx';
import { useHourly } from '../../hooks/use-hourly.ts';
import { listQuery, useListQuery } from '../../hooks/use-list-query.ts';
import { useListState } from '../../hooks/use-list-state.ts';
import { useSelection } from '../../hooks/use-selection.ts';
import { can } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { useWords } from '../../lib/i18n.ts';
import { fromHere } from '../../lib/origin.ts';
import type { FetchAheadContext } from '../../lib/page.ts';
import { draftWords } from '../../words/drafts.ts';
import { mailListWords } from '../../words/mail-list.ts';
import { openSavedDraft } from './compose/unsent.ts';
import { DeleteDraftsDialog, type ShownDraft } from './DeleteDraftsDialog.tsx';
import { mailKeys } from './keys.ts';
import { ListFrame } from './ListFrame.tsx';
import { ListHeader } from './ListHeader.tsx';
import { MailRow } from './MailRow.tsx';
import { askedPage, mailListOptions } from './page-of-mail.ts';
import { recipientsIn } from './row-words.ts';
import { refreshOf } from './refresh-of.ts';
import { RowList } from './RowList.tsx';
import { UnsentButton } from './UnsentButton.tsx';
import { useCompose } from './use-compose.ts';

const useStyles = makeStyles({ actions: { flexGrow: 1 } });

/** Loads the first page in parallel with the other requests of a first load. */
export function fetchAhead({ client, search }: FetchAheadContext): void {
  void client.prefetchQuery(listQuery(listDrafts, mailKeys.drafts, askedPage(search)));
}

const keyOf = (row: DraftRowDto): string => row._id;
const shownOf = ({ _id: id, version }: DraftRowDto): ShownDraft => ({ id, version });
const noRows: DraftRowDto[] = [];

/** The drafts of the person. A press on one opens it to go on writing. */
export default function DraftsPage() {
  const styles = useStyles();
  const t = useWords(draftWords);
  const words = useWords(mailListWords);
  const list = useListState(mailListOptions());
  useHourly();
  const answered = useListQuery(listDrafts, mailKeys.drafts, list);
  const { data, totalPages } = answered;
  const rows = data?.rows ?? noRows;
  const selection = useSelection(rows, keyOf);
  const total = data?.pagination.totalData;
  const [isAsking, setAsking] = useState(false);
  useCompose();
  const mayDelete = can(useCurrentUser(), removeDrafts);
  const state = fromHere(useLocation());
  const askToDelete = (): void => {
    if (selection.chosen.length > 0) setAsking(true);
  };
  const bulkActions = (
    <Toolbar label={t.selected} className={styles.actions}>
      {mayDelete && <IconButton label={t.delete} icon={<DeleteRegular />} onClick={askToDelete} />}
    </Toolbar>
  );
  return (
    <ListFrame
      list={list}
      answered={answered}
      total={total ?? 0}
      totalPages={totalPages}
      isEmpty={total === 0}
      empty={<StatusPage icon={<MailDrawing />} title={words.none} hint={t.hint} />}
      header={
        <ListHeader
          title={t.title}
          count={total === undefined ? undefined : { number: total, label: t.count(total) }}
          selection={selection}
          bulkActions={bulkActions}
          {...refreshOf(answered)}
        >
          <UnsentButton />
        </ListHeader>
      }
      above={isAsking && <DeleteDraftsDialog drafts={selection.chosen.map(shownOf)} onClose={() => setAsking(false)} />}
    >
      {rows.length > 0 ? (
        <RowList
          key={list.page}
          label={t.title}
          address={state.from}
          rows={rows}
          selection={selection}
          keys={mayDelete ? { '#': askToDelete } : {}}
        >
          {(row, ticking) => (
            <MailRow
              row={row}
              people={recipientsIn(row)}
              date={row.updatedAt}
              open={{ onPress: () => void openSavedDraft(row) }}
              {...ticking}
            />
          )}
        </RowList>
      ) : null}
    </ListFrame>
  );
}
