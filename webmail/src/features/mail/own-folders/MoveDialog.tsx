import { createOwnFolder, mostOwnFolders, ownFolderForm } from '@selvage/core/contracts/own-folders';
import { Button, Input, makeStyles, tokens } from '@fluentui/react-components';
import { AddRegular } from '@fluentui/react-icons/svg/add';
import { FolderRegular } from '@fluentui/react-icons/svg/folder';
import { MailInboxRegular } from '@fluentui/react-icons/svg/mail-inbox';
import { useStore } from '@nanostores/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DialogFrame } from '../../../components/dialog/DialogFrame.tsx';
import { notify } from '../../../components/feedback/notify.ts';
import { useOnceLoaded } from '../../../hooks/use-once-loaded.ts';
import { api } from '../../../lib/api.ts';
import { useWords } from '../../../lib/i18n.ts';
import { isOfInputMethod } from '../../../lib/input-method.ts';
import { oneLine } from '../../../theme/styles.ts';
import { dialogWords } from '../../../words/dialogs.ts';
import { ownFolderWords } from '../../../words/own-folders.ts';
import { mailKeys } from '../keys.ts';
import { totalsQuery } from '../queries.ts';
import { moveByArrow } from '../own-places/move-by-arrow.ts';
import { NothingToChoose } from '../own-places/NothingToChoose.tsx';
import FolderDialog from './FolderDialog.tsx';
import { movedTo } from './move-calls.ts';
import { isFolderName, type MoveTarget, shownTargets, targetOfEnter } from './move-targets.ts';
import { mayLeave, moving, ownFolderOf } from './moving.ts';
import { useOwnFolders } from './use-own-folders.ts';

const useStyles = makeStyles({
  root: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalS },
  list: {
    display: 'flex',
    flexDirection: 'column',
    listStyleType: 'none',
    margin: 0,
    padding: 0,
    maxHeight: 'min(320px, 45vh)',
    overflowY: 'auto',
  },
  item: {
    justifyContent: 'flex-start',
    width: '100%',
    minWidth: 0,
    minHeight: '36px',
    fontWeight: tokens.fontWeightRegular,
  },
  name: { minWidth: 0, ...oneLine },
});

/**
 * Asks to which folder messages are moved. Typing narrows the list, and Enter then takes the first.
 */
export default function MoveDialog() {
  const asked = useStore(moving);
  const styles = useStyles();
  const t = useWords(ownFolderWords);
  const { cancel } = useWords(dialogWords);
  const client = useQueryClient();
  const isLoaded = useQuery(totalsQuery).data !== undefined;
  const folders = useOwnFolders();
  const [text, setText] = useState('');
  const [isNaming, setNaming] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const rows = asked?.rows ?? [];
  const targets: MoveTarget[] = [
    ...(mayLeave(rows) ? [{ folderId: null, name: t.inbox }] : []),
    ...folders
      .filter(({ _id }) => !rows.every((row) => ownFolderOf(row) === _id))
      .map(({ _id, name }) => ({ folderId: _id, name })),
  ];
  const shown = shownTargets({ targets, text });
  const isEmpty = text.trim() === '';
  const isNew = !isEmpty && !isFolderName(folders, text);
  const mayCreate = isLoaded && folders.length < mostOwnFolders && (isEmpty || isNew);
  // By then the question may be about other messages
  const close = (): void => {
    if (moving.get() === asked) moving.set(null);
  };
  const choose = (folderId: string | null): void => {
    // The person may have closed the dialog while a folder was being made
    if (moving.get() !== asked) return;
    close();
    asked?.onChosen(movedTo(folderId));
  };
  const create = async (): Promise<void> => {
    if (isEmpty) {
      setNaming(true);
      return;
    }
    const form = ownFolderForm.safeParse({ name: text });
    if (!form.success) {
      notify.failure(form.error.issues[0]?.message ?? t.notCreated);
      return;
    }
    setBusy(true);
    try {
      const { _id } = await api(createOwnFolder, { body: form.data });
      await client.invalidateQueries({ queryKey: mailKeys.totals });
      choose(_id);
    } catch (error) {
      setBusy(false);
      notify.error(error);
    }
  };
  const enter = useOnceLoaded(isLoaded, () => {
    const target = targetOfEnter({ targets, folders, text });
    if (target) choose(target.folderId);
    else if (isNew && shown.length === 0 && mayCreate && !isBusy) void create();
  });
  if (isNaming) return <FolderDialog onDone={({ _id }) => choose(_id)} onClose={close} />;
  return (
    <DialogFrame
      title={t.moveMessages(asked?.number ?? 0)}
      size="small"
      onClose={close}
      actions={<Button onClick={close}>{cancel}</Button>}
    >
      <div className={styles.root} onKeyDown={moveByArrow}>
        <Input
          value={text}
          type="search"
          maxLength={60}
          aria-label={t.find}
          placeholder={t.find}
          onChange={(_event, data) => {
            enter.takeBack();
            setText(data.value);
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || isOfInputMethod(event.nativeEvent)) return;
            event.preventDefault();
            enter.ask();
          }}
        />
        {shown.length > 0 && (
          <ul className={styles.list} aria-label={t.folders}>
            {shown.map(({ folderId, name }) => (
              <li key={folderId ?? 'inbox'}>
                <Button
                  appearance="subtle"
                  className={styles.item}
                  icon={folderId === null ? <MailInboxRegular /> : <FolderRegular />}
                  onClick={() => choose(folderId)}
                >
                  <span className={styles.name} dir="auto">
                    {name}
                  </span>
                </Button>
              </li>
            ))}
          </ul>
        )}
        {(!isLoaded || shown.length === 0) && <NothingToChoose words={t} hasOthers={folders.length > 0} />}
        {mayCreate && (
          <Button
            appearance="subtle"
            className={styles.item}
            icon={<AddRegular />}
            disabled={isBusy}
            onClick={() => void create()}
          >
            <span className={styles.name}>{isEmpty ? t.newFolder : t.createNamed({ name: text.trim() })}</span>
          </Button>
        )}
      </div>
    </DialogFrame>
  );
}
