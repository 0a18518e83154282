import type { PasskeyDto } from '@selvage/core/contracts/two-factor';
import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { RecordList, RecordRow } from '../../../components/list/RecordList.tsx';
import { Section } from '../../../components/page/Section.tsx';
import { useCurrentUser } from '../../../lib/current-user.ts';
import { fullDate } from '../../../lib/format.ts';
import { useWords } from '../../../lib/i18n.ts';
import { lastUse, passkeysQuery } from '../../../lib/ways-in.ts';
import { passkeyWords } from '../../../words/passkeys.ts';
import { AddPasskeyDialog, RemovePasskeyDialog, RenamePasskeyDialog } from './passkey-dialogs.tsx';
import { whyNoPasskey } from './passkey-support.ts';

const useStyles = makeStyles({ quiet: { color: tokens.colorNeutralForeground2 } });

type Open = { kind: 'add' } | { kind: 'rename' | 'remove'; passkey: PasskeyDto } | null;

/** Devices that prove the person in place of the app's code. */
export function PasskeySection() {
  const styles = useStyles();
  const t = useWords(passkeyWords);
  const user = useCurrentUser();
  const isOn = user?.twoFactorStatus ?? false;
  const { data, error, refetch } = useQuery({ ...passkeysQuery, enabled: isOn });
  const [open, setOpen] = useState<Open>(null);
  const obstacle = isOn ? whyNoPasskey() : t.needsTwoFactor;
  const close = (): void => setOpen(null);
  return (
    <Section
      id="passkeys"
      title={t.title}
      hint={t.hint}
      action={!obstacle && <Button onClick={() => setOpen({ kind: 'add' })}>{t.add}</Button>}
    >
      {obstacle && <span className={styles.quiet}>{obstacle}</span>}
      {isOn && (
        <RecordList
          label={t.title}
          rows={data}
          error={error}
          empty={t.none}
          onRetry={() => void refetch()}
          renderRow={(passkey) => (
            <PasskeyRow
              key={passkey._id}
              passkey={passkey}
              onRename={() => setOpen({ kind: 'rename', passkey })}
              onRemove={() => setOpen({ kind: 'remove', passkey })}
            />
          )}
        />
      )}
      {open?.kind === 'add' && <AddPasskeyDialog onClose={close} />}
      {open?.kind === 'rename' && <RenamePasskeyDialog passkey={open.passkey} onClose={close} />}
      {open?.kind === 'remove' && <RemovePasskeyDialog passkey={open.passkey} onClose={close} />}
    </Section>
  );
}

interface RowProps {
  passkey: PasskeyDto;
  onRename: () => void;
  onRemove: () => void;
}

function PasskeyRow({ passkey, onRename, onRemove }: RowProps) {
  const t = useWords(passkeyWords);
  const { passkey_name: name, last_used: used } = passkey;
  return (
    <RecordRow
      title={name}
      details={[t.added({ time: fullDate(passkey.createdAt) }), lastUse(used)]}
      actions={
        <>
          <Button size="small" aria-label={t.renameNamed({ name })} onClick={onRename}>
            {t.rename}
          </Button>
          <Button size="small" aria-label={t.removeNamed({ name })} onClick={onRemove}>
            {t.remove}
          </Button>
        </>
      }
    />
  );
}
