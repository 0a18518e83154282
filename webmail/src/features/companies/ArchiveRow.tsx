import type { ArchiveDto } from '@selvage/core/contracts/company-archives';
import { Badge, Button, Field, makeStyles, ProgressBar, Text, tokens } from '@fluentui/react-components';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import { CopyButton } from '../../components/CopyButton.tsx';
import { RecordRow } from '../../components/list/RecordList.tsx';
import { fileSize, fullDate, fullDay } from '../../lib/format.ts';
import { useWords, wordsOf } from '../../lib/i18n.ts';
import { archiveWords } from '../../words/company-archives.ts';

const useStyles = makeStyles({
  digest: { fontFamily: tokens.fontFamilyMonospace, overflowWrap: 'anywhere' },
  line: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalS },
});

interface Props {
  archive: ArchiveDto;
  onDownload?: () => void;
  onDelete?: () => void;
}

/** An archive of a company: how far it is, or what can be done with it. */
export function ArchiveRow({ archive, onDownload, onDelete }: Props) {
  const t = useWords(archiveWords);
  const { state } = archive;
  const time = fullDate(archive.createdAt);
  const isReady = state === 'ready';
  const isRunning = state === 'making' || state === 'checking';
  const [word, named] = isRunning ? [t.stop, t.stopNamed({ time })] : [t.delete, t.deleteNamed({ time })];
  return (
    <RecordRow
      title={t.archive({ time })}
      badge={
        state === 'failed' && (
          <Badge appearance="tint" color="danger">
            {t.failed}
          </Badge>
        )
      }
      details={detailsOf(archive)}
      actions={
        <>
          {isReady && onDownload && (
            <Button size="small" aria-label={t.downloadNamed({ time })} onClick={onDownload}>
              {t.download}
            </Button>
          )}
          {onDelete && (
            <Button size="small" aria-label={named} onClick={onDelete}>
              {word}
            </Button>
          )}
        </>
      }
    >
      {isRunning && <Progress archive={archive} />}
      {state === 'failed' && <Text>{archive.problem === 'no_room' ? t.noRoom : t.failedWhole}</Text>}
      {isReady && <Digest archive={archive} />}
    </RecordRow>
  );
}

function detailsOf({ state, asked_by: name, size, people, done, expiresAt }: ArchiveDto): string[] {
  const t = wordsOf(archiveWords);
  const asked = t.askedBy({ name });
  if (state === 'failed') return [asked];
  if (state !== 'ready') return [asked, t.goesOn];
  const kept = expiresAt ? [t.expires({ day: fullDay(expiresAt) })] : [];
  return [fileSize(size), t.people(people), t.messages(done), asked, ...kept];
}

function Progress({ archive: { state, done, total } }: { archive: ArchiveDto }) {
  const t = useWords(archiveWords);
  const isChecking = state === 'checking';
  const said = isChecking ? t.checking : t.writing({ done: done.toLocaleString(), total: total.toLocaleString() });
  return (
    <Field validationState="none" validationMessage={said}>
      <ProgressBar aria-label={t.progress} {...(isChecking || total === 0 ? {} : { value: done, max: total })} />
    </Field>
  );
}

function Digest({ archive: { sha256, lost } }: { archive: ArchiveDto }) {
  const styles = useStyles();
  const t = useWords(archiveWords);
  return (
    <>
      {lost > 0 && <FormMessage intent="warning" text={t.lost(lost)} />}
      <span className={styles.line}>
        <Text size={200} className={styles.digest}>
          {t.checksum({ digest: sha256 ?? '' })}
        </Text>
        <CopyButton name={t.checksumName} text={sha256 ?? ''} />
      </span>
    </>
  );
}
