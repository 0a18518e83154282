import { removeDrafts } from '@selvage/core/contracts/drafts';
import type { SearchRowDto } from '@selvage/core/contracts/search';
import { makeStyles } from '@fluentui/react-components';
import { DeleteRegular } from '@fluentui/react-icons/svg/delete';
import { useState } from 'react';
import { IconButton } from '../../../components/IconButton.tsx';
import { Toolbar } from '../../../components/Toolbar.tsx';
import type { Selection } from '../../../hooks/use-selection.ts';
import { can } from '../../../lib/can.ts';
import { useCurrentUser } from '../../../lib/current-user.ts';
import { useWords } from '../../../lib/i18n.ts';
import { draftWords } from '../../../words/drafts.ts';
import { BulkActions } from '../BulkActions.tsx';
import { DeleteDraftsDialog } from '../DeleteDraftsDialog.tsx';
import { noWhole } from '../use-whole-folder.ts';
import { isMessage, shownDraft } from './found-place.ts';

const useStyles = makeStyles({ space: { flexGrow: 1 } });

/** What can be done with ticked messages, whatever folders they are in. Drafts among them stay. */
export function SelectedActions({ selection }: { selection: Selection<SearchRowDto> }) {
  const chosen = selection.chosen.filter(isMessage);
  if (chosen.length === 0) return <ChosenDrafts selection={selection} />;
  return <BulkActions folder={null} selection={{ ...selection, chosen }} whole={noWhole} />;
}

function ChosenDrafts({ selection }: { selection: Selection<SearchRowDto> }) {
  const styles = useStyles();
  const t = useWords(draftWords);
  const [isAsking, setAsking] = useState(false);
  const drafts = selection.chosen.flatMap((row) => shownDraft(row) ?? []);
  const mayDelete = can(useCurrentUser(), removeDrafts);
  if (drafts.length === 0 || !mayDelete) return <span className={styles.space} />;
  return (
    <Toolbar label={t.selected} className={styles.space}>
      <IconButton label={t.delete} icon={<DeleteRegular />} onClick={() => setAsking(true)} />
      {isAsking && <DeleteDraftsDialog drafts={drafts} onClose={() => setAsking(false)} />}
    </Toolbar>
  );
}
