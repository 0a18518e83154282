import type { AttachmentDto } from '@selvage/core/contracts/mail';
import { makeStyles, tokens } from '@fluentui/react-components';
import { ArrowDownloadRegular } from '@fluentui/react-icons/svg/arrow-download';
import { useMutation } from '@tanstack/react-query';
import { FileIcon } from '../../components/FileIcon.tsx';
import { notify } from '../../components/feedback/notify.ts';
import { Ring } from '../../components/feedback/Ring.tsx';
import { fileSize } from '../../lib/format.ts';
import { useWords } from '../../lib/i18n.ts';
import { focusRing, oneLine } from '../../theme/styles.ts';
import { readingWords } from '../../words/reading.ts';
import { saveAttachment } from './download.ts';

const useStyles = makeStyles({
  list: {
    display: 'flex',
    flexWrap: 'wrap',
    gap: tokens.spacingHorizontalS,
    listStyleType: 'none',
    margin: 0,
    padding: 0,
    flexShrink: 0,
    maxHeight: '176px',
    overflowY: 'auto',
  },
  file: {
    display: 'flex',
    alignItems: 'center',
    gap: tokens.spacingHorizontalS,
    maxWidth: '260px',
    minHeight: '44px',
    padding: `${tokens.spacingVerticalXS} ${tokens.spacingHorizontalM}`,
    border: `1px solid ${tokens.colorNeutralStroke1}`,
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackground1,
    color: tokens.colorNeutralForeground1,
    cursor: 'pointer',
    fontFamily: 'inherit',
    textAlign: 'left',
    ':hover': { backgroundColor: tokens.colorNeutralBackground1Hover },
    ...focusRing,
  },
  icon: { flexShrink: 0, fontSize: '16px' },
  words: { display: 'flex', flexDirection: 'column', minWidth: 0, fontSize: tokens.fontSizeBase200 },
  name: oneLine,
  size: { color: tokens.colorNeutralForeground3 },
});

/** The files of a message; a press saves one. */
export function AttachmentList({ attachments }: { attachments: AttachmentDto[] }) {
  const styles = useStyles();
  const t = useWords(readingWords);
  const shown = attachments.filter((attachment) => attachment.showData);
  if (shown.length === 0) return null;
  return (
    <ul className={styles.list} aria-label={t.attachments(shown.length)}>
      {shown.map((attachment) => (
        <li key={attachment._id}>
          <AttachmentButton attachment={attachment} />
        </li>
      ))}
    </ul>
  );
}

function AttachmentButton({ attachment }: { attachment: AttachmentDto }) {
  const styles = useStyles();
  const t = useWords(readingWords);
  const size = fileSize(attachment.size);
  const download = useMutation({ mutationFn: saveAttachment, onError: notify.error });
  return (
    <button
      type="button"
      className={styles.file}
      aria-label={t.download({ name: attachment.original_name, size })}
      disabled={download.isPending}
      onClick={() => download.mutate(attachment)}
    >
      <FileIcon contentType={attachment.contentType} />
      <span className={styles.words}>
        <span className={styles.name} title={attachment.original_name}>
          {attachment.original_name}
        </span>
        <span className={styles.size}>{size}</span>
      </span>
      {download.isPending ? <Ring /> : <ArrowDownloadRegular aria-hidden className={styles.icon} />}
    </button>
  );
}
