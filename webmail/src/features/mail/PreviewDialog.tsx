import type { AttachmentDto } from '@selvage/core/contracts/email';
import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { lazyExtra } from '../../components/lazy-extra.tsx';
import { DialogFrame } from '../../components/dialog/DialogFrame.tsx';
import { notify } from '../../components/feedback/notify.ts';
import { Bar, Placeholder } from '../../components/feedback/Placeholder.tsx';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import { RetryMessage } from '../../components/form/RetryMessage.tsx';
import { messageOf } from '../../lib/api-error.ts';
import { useWords } from '../../lib/i18n.ts';
import { saveFile } from '../../lib/save-file.ts';
import { previewWords } from '../../words/file-preview.ts';
import { fetchAttachment, saveAttachment } from './download.ts';
import { previewOf, readText } from './previewable.ts';

const PdfPages = lazyExtra(() => import('./pdf/PdfPages.tsx'));

const useStyles = makeStyles({
  picture: { display: 'block', maxWidth: '100%', maxHeight: '70dvh', margin: '0 auto', objectFit: 'contain' },
  text: {
    margin: 0,
    fontFamily: tokens.fontFamilyMonospace,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase300,
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
  },
});

interface Props {
  attachment: AttachmentDto;
  onClose: () => void;
}

/** A file of a message, looked at without saving it. */
export default function PreviewDialog({ attachment, onClose }: Props) {
  const t = useWords(previewWords);
  const { original_name: name, file_path: path } = attachment;
  const {
    data: file,
    error,
    refetch,
  } = useQuery({
    queryKey: ['mail', 'file', path],
    queryFn: ({ signal }) => fetchAttachment(attachment, signal),
    // A change of the mailbox changes no file, and must not open the file again under its reader
    staleTime: 'static',
    gcTime: 0,
  });
  const save = (): void => {
    if (file) saveFile(name, file);
    else if (error) saveAttachment(attachment).catch(notify.error);
    else notify.info(t.stillLoading);
  };
  return (
    <DialogFrame
      size="large"
      title={name}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t.close}</Button>
          <Button appearance="primary" onClick={save}>
            {t.save}
          </Button>
        </>
      }
    >
      {error && <RetryMessage text={messageOf(error)} onRetry={() => void refetch()} />}
      {!error && !file && (
        <Placeholder label={t.loading}>
          <Bar height={240} />
        </Placeholder>
      )}
      {file && <Content attachment={attachment} file={file} />}
    </DialogFrame>
  );
}

function Content({ attachment, file }: { attachment: AttachmentDto; file: Blob }) {
  const kind = previewOf(attachment);
  if (kind === 'picture') return <Picture name={attachment.original_name} file={file} />;
  return kind === 'pdf' ? <PdfPages file={file} /> : <Text file={file} />;
}

function Picture({ name, file }: { name: string; file: Blob }) {
  const styles = useStyles();
  const t = useWords(previewWords);
  const [source, setSource] = useState<string | null>(null);
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    const url = URL.createObjectURL(file);
    setSource(url);
    return () => URL.revokeObjectURL(url);
  }, [file]);
  if (isBroken) return <FormMessage intent="info" text={t.noPicture} />;
  return source && <img className={styles.picture} src={source} alt={name} onError={() => setBroken(true)} />;
}

function Text({ file }: { file: Blob }) {
  const styles = useStyles();
  const t = useWords(previewWords);
  const [shown, setShown] = useState<{ text: string; isCut: boolean } | null>(null);
  useEffect(() => {
    let isGone = false;
    void readText(file).then((read) => !isGone && setShown(read));
    return () => {
      isGone = true;
    };
  }, [file]);
  if (!shown) return null;
  return (
    <>
      {shown.isCut && <FormMessage intent="info" text={t.cut} />}
      <pre className={styles.text} dir="auto">
        {shown.text}
      </pre>
    </>
  );
}
