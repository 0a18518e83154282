import type { BackupEmailDto } from '@selvage/core/contracts/mail-backups';
import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { ArrowLeftRegular } from '@fluentui/react-icons/svg/arrow-left';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from 'react-router-dom';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import { LoadError } from '../../components/page/LoadError.tsx';
import { useWords } from '../../lib/i18n.ts';
import { originOf } from '../../lib/origin.ts';
import { shownAddress } from '../../lib/shown-address.ts';
import { backupWords } from '../../words/backups.ts';
import { readingWords } from '../../words/reading.ts';
import { AttachmentList } from '../mail/AttachmentList.tsx';
import { MessageFrame } from '../mail/MessageFrame.tsx';
import { MessageHeader } from '../mail/MessageHeader.tsx';
import { OpenFrame, OpenSkeleton } from '../mail/OpenFrame.tsx';
import { subjectOf } from '../mail/row-words.ts';
import { backupEmailQuery, mailboxPath } from './queries.ts';

const useStyles = makeStyles({
  bar: {
    display: 'flex',
    alignItems: 'center',
    flexShrink: 0,
    minHeight: '52px',
    padding: `0 ${tokens.spacingHorizontalM}`,
    borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
  },
});

/** One message of a backup, to be read alone. */
export function BackupMessage({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(backupEmailQuery(id));
  if (data) return <Message email={data} />;
  return error ? <LoadError error={error} onRetry={() => void refetch()} /> : <OpenSkeleton />;
}

function Message({ email }: { email: BackupEmailDto }) {
  const styles = useStyles();
  const t = useWords(backupWords);
  const reading = useWords(readingWords);
  const navigate = useNavigate();
  const { backup_id: _id, backup_email } = email;
  // A reload and a link that was opened in another window know the way back as well
  const back = originOf(useLocation()) ?? mailboxPath({ _id, backup_email });
  const subject = subjectOf(email);
  return (
    <OpenFrame
      subject={subject}
      bar={
        <div className={styles.bar}>
          <Button appearance="subtle" icon={<ArrowLeftRegular />} onClick={() => void navigate(back)}>
            {t.back}
          </Button>
        </div>
      }
    >
      <FormMessage intent="info" text={t.readOnly({ email: shownAddress(backup_email) })} />
      <MessageHeader email={email} isReadOnly />
      <AttachmentList attachments={email.attachments} allPath={email.files_path} />
      <MessageFrame message={email} title={reading.textOf({ subject })} />
    </OpenFrame>
  );
}
