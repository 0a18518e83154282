import { removeDrafts } from '@selvage/core/contracts/drafts';
import type { SearchRowDto } from '@selvage/core/contracts/search';
import { makeStyles } from '@fluentui/react-components';
import { ArchiveRegular } from '@fluentui/react-icons/svg/archive';
import { DeleteRegular } from '@fluentui/react-icons/svg/delete';
import { MailReadRegular } from '@fluentui/react-icons/svg/mail-read';
import { MailUnreadRegular } from '@fluentui/react-icons/svg/mail-unread';
import { useState } from 'react';
import { IconButton } from '../../../components/IconButton.tsx';
import { Toolbar } from '../../../components/Toolbar.tsx';
import type { Selection } from '../../../hooks/use-selection.ts';
import { can } from '../../../lib/can.ts';
import { useCurrentUser } from '../../../lib/current-user.ts';
import { useWords } from '../../../lib/i18n.ts';
import { draftWords } from '../../../words/drafts.ts';
import { mailActionWords, mailListWords } from '../../../words/mail-list.ts';
import { DeleteDraftsDialog } from '../DeleteDraftsDialog.tsx';
import { LabelButton } from '../labels/LabelButton.tsx';
import { MoveButton } from '../own-folders/MoveButton.tsx';
import { type StatusPatch, useChangeStatus } from '../use-change-status.ts';
import { useMayChange } from '../use-may-change.ts';

const useStyles = makeStyles({ space: { flexGrow: 1 } });

/** What can be done with ticked messages, whatever folders they are in. Drafts among them stay. */
export function SelectedActions({ selection }: { selection: Selection<SearchRowDto> }) {
  const styles = useStyles();
  const t = useWords(mailActionWords);
  const list = useWords(mailListWords);
  const changeStatus = useChangeStatus();
  const mayChange = useMayChange();
  const records = selection.chosen.filter((row) => row.draft_id === null && mayChange(row));
  const change = (patch: StatusPatch): void => {
    void changeStatus({ records, patch, isSaid: true });
    selection.chooseAll(false);
  };
  const act = (patch: StatusPatch) => (): void => change(patch);
  if (records.length === 0) return <ChosenDrafts selection={selection} />;
  return (
    <Toolbar label={list.selectedMessages} className={styles.space}>
      <IconButton label={t.archive} icon={<ArchiveRegular />} onClick={act({ archive_status: true })} />
      <IconButton label={t.delete} icon={<DeleteRegular />} onClick={act({ trash_status: true })} />
      <MoveButton records={records} onMove={change} />
      <LabelButton of="list" records={records} />
      <IconButton label={t.markRead} icon={<MailReadRegular />} onClick={act({ read_status: true })} />
      <IconButton label={t.markUnread} icon={<MailUnreadRegular />} onClick={act({ read_status: false })} />
    </Toolbar>
  );
}

function ChosenDrafts({ selection }: { selection: Selection<SearchRowDto> }) {
  const styles = useStyles();
  const t = useWords(draftWords);
  const [isAsking, setAsking] = useState(false);
  const draftIds = selection.chosen.flatMap(({ draft_id: id }) => id ?? []);
  const mayDelete = can(useCurrentUser(), removeDrafts);
  if (draftIds.length === 0 || !mayDelete) return <span className={styles.space} />;
  return (
    <Toolbar label={t.selected} className={styles.space}>
      <IconButton label={t.delete} icon={<DeleteRegular />} onClick={() => setAsking(true)} />
      {isAsking && <DeleteDraftsDialog draftIds={draftIds} onClose={() => setAsking(false)} />}
    </Toolbar>
  );
}
