import { nameOrAddress } from '@selvage/core/contracts/full-name';
import type { ManyUsersDto } from '@selvage/core/contracts/many-users';
import type { UserDto } from '@selvage/core/contracts/users';
import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { useEffect, useState } from 'react';
import { ConfirmDialog } from '../../components/dialog/ConfirmDialog.tsx';
import { InfoDialog } from '../../components/dialog/InfoDialog.tsx';
import { notify } from '../../components/feedback/notify.ts';
import type { Selection } from '../../hooks/use-selection.ts';
import { useWords } from '../../lib/i18n.ts';
import { giveToHeading, isFocusLost } from '../../lib/lost-focus.ts';
import { dialogWords } from '../../words/dialogs.ts';
import { manyUserWords } from '../../words/many-users.ts';
import { ManyRolesDialog } from './ManyRolesDialog.tsx';
import { type ManyChange, useChangeMany } from './use-change-many.ts';

const useStyles = makeStyles({
  refused: { margin: 0, paddingInlineStart: tokens.spacingHorizontalXL },
});

type Open = 'deactivate' | 'role' | null;

/** A user who was not changed, and why. */
interface Refused {
  id: string;
  name: string;
  message: string;
}

/** What can be done with the ticked users. */
export function SelectionActions({ selection }: { selection: Selection<UserDto> }) {
  const t = useWords(manyUserWords);
  const { cancel } = useWords(dialogWords);
  const changeMany = useChangeMany();
  const [open, setOpen] = useState<Open>(null);
  const [refused, setRefused] = useState<Refused[]>([]);
  const { chosen } = selection;
  const close = (): void => setOpen(null);
  // The buttons leave with the last ticked row, as when it no longer fits the filter
  useEffect(() => () => void setTimeout(() => isFocusLost() && giveToHeading()), []);

  const change = async (wanted: ManyChange): Promise<void> => {
    const ids = chosen.map(({ _id }) => _id);
    setRefused(withNames(await changeMany(ids, wanted), chosen));
  };
  return (
    <>
      <Button onClick={() => void change({ active_status: true }).catch((error: unknown) => notify.error(error))}>
        {t.activate}
      </Button>
      <Button onClick={() => setOpen('deactivate')}>{t.deactivate}</Button>
      <Button onClick={() => setOpen('role')}>{t.changeRole}</Button>
      {open === 'deactivate' && (
        <ConfirmDialog
          title={t.deactivateTitle(chosen.length)}
          text={t.deactivateText}
          confirmLabel={t.deactivate}
          busyLabel={t.working}
          cancelLabel={cancel}
          onConfirm={() => change({ active_status: false })}
          onClose={close}
        />
      )}
      {open === 'role' && <ManyRolesDialog users={chosen} onChange={change} onClose={close} />}
      {refused.length > 0 && open === null && <RefusedDialog refused={refused} onClose={() => setRefused([])} />}
    </>
  );
}

function withNames({ refused }: ManyUsersDto, users: UserDto[]): Refused[] {
  return refused.map(({ _id: id, message }) => {
    const user = users.find(({ _id }) => _id === id);
    return { id, message, name: user ? nameOrAddress(user) : id };
  });
}

/** Says which users were not changed, and why. */
function RefusedDialog({ refused, onClose }: { refused: Refused[]; onClose: () => void }) {
  const styles = useStyles();
  const t = useWords(manyUserWords);
  const { ok } = useWords(dialogWords);
  return (
    <InfoDialog title={t.refusedTitle(refused.length)} doneLabel={ok} onClose={onClose}>
      <ul className={styles.refused}>
        {refused.map(({ id, name, message }) => (
          <li key={id}>
            <b dir="auto">{name}</b>: {message}
          </li>
        ))}
      </ul>
    </InfoDialog>
  );
}
