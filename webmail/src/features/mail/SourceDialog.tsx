import type { EmailDto } from '@selvage/core/contracts/email';
import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { useMutation, useQuery } from '@tanstack/react-query';
import { DialogFrame } from '../../components/dialog/DialogFrame.tsx';
import { notify } from '../../components/feedback/notify.ts';
import { Bar, Placeholder } from '../../components/feedback/Placeholder.tsx';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import { messageOf } from '../../lib/api-error.ts';
import { fullDate } from '../../lib/format.ts';
import { useWords } from '../../lib/i18n.ts';
import { saveFile } from '../../lib/save-file.ts';
import { sourceWords } from '../../words/source.ts';
import { resultsOf } from './authenticity.ts';
import { fetchAttachment, fetchBeginning } from './download.ts';
import { HeaderFields } from './HeaderFields.tsx';
import { headerOf, type Hop, hopsOf } from './message-hops.ts';
import { subjectOf } from './row-words.ts';

const useStyles = makeStyles({
  heading: { margin: 0, fontSize: tokens.fontSizeBase300, fontWeight: tokens.fontWeightSemibold },
  hops: { margin: 0, paddingLeft: tokens.spacingHorizontalXL, overflowWrap: 'anywhere' },
  quiet: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
});

/** The way of a message, and its header as it came. */
export default function SourceDialog({ email, onClose }: { email: EmailDto; onClose: () => void }) {
  const styles = useStyles();
  const t = useWords(sourceWords);
  const { data, error } = useQuery({
    queryKey: ['mail', 'source', email._id],
    queryFn: async ({ signal }) => headerOf(await fetchBeginning(email.source_path, signal)),
    staleTime: 'static',
    gcTime: 0,
  });
  const save = useMutation({
    mutationFn: async () =>
      saveFile(
        `${subjectOf(email).replace(/[/\\]/g, '-')}.eml`,
        await fetchAttachment({ file_path: email.source_path }),
      ),
    onError: notify.error,
  });
  return (
    <DialogFrame
      size="large"
      title={t.title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t.close}</Button>
          <Button appearance="primary" disabled={save.isPending} onClick={() => save.mutate()}>
            {save.isPending ? t.saving : t.save}
          </Button>
        </>
      }
    >
      {error && <FormMessage text={messageOf(error)} />}
      {!error && data === undefined && (
        <Placeholder label={t.loading}>
          <Bar height={240} />
        </Placeholder>
      )}
      {data !== undefined && (
        <>
          <h3 className={styles.heading}>{t.way}</h3>
          <Way hops={hopsOf(data)} />
          {email.authenticity && <span className={styles.quiet}>{t.checks({ results: resultsOf(email) })}</span>}
          <h3 className={styles.heading}>{t.header}</h3>
          <HeaderFields header={data} />
        </>
      )}
    </DialogFrame>
  );
}

function Way({ hops }: { hops: Hop[] }) {
  const styles = useStyles();
  const t = useWords(sourceWords);
  if (hops.length === 0) return <span className={styles.quiet}>{t.noWay}</span>;
  return (
    <ol className={styles.hops}>
      {hops.map(({ from, by, at, seconds }, index) => (
        // The steps never change their order
        <li key={`${index} ${by}`}>
          {from === null ? t.takenBy({ by }) : t.handedOver({ from, by })}
          {at && (
            <div
              className={styles.quiet}
            >{`${fullDate(at.toISOString())}${seconds === null ? '' : t.after(seconds)}`}</div>
          )}
        </li>
      ))}
    </ol>
  );
}
