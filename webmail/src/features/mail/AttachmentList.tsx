import type { AttachmentDto } from '@selvage/core/contracts/mail';
import { makeStyles, Spinner, Text, tokens } from '@fluentui/react-components';
import { ArrowDownloadRegular } from '@fluentui/react-icons/svg/arrow-download';
import { useMutation } from '@tanstack/react-query';
import { FileIcon } from '../../components/FileIcon.tsx';
import { notify } from '../../components/feedback/notify.ts';
import { fileSize, plural } from '../../lib/format.ts';
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
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}` },
  },
  icon: { flexShrink: 0, fontSize: '16px' },
  words: { display: 'flex', flexDirection: 'column', minWidth: 0 },
  name: { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  size: { color: tokens.colorNeutralForeground3 },
});

export function AttachmentList({ attachments }: { attachments: AttachmentDto[] }) {
  const styles = useStyles();
  const shown = attachments.filter((attachment) => attachment.showData);
  if (shown.length === 0) return null;
  return (
    <ul className={styles.list} aria-label={plural(shown.length, 'attachment', 'attachments')}>
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
  const download = useMutation({ mutationFn: saveAttachment, onError: notify.error });
  return (
    <button
      type="button"
      className={styles.file}
      aria-label={`Download ${attachment.original_name}, ${fileSize(attachment.size)}`}
      disabled={download.isPending}
      onClick={() => download.mutate(attachment)}
    >
      <FileIcon contentType={attachment.contentType} />
      <span className={styles.words}>
        <Text size={200} className={styles.name} title={attachment.original_name}>
          {attachment.original_name}
        </Text>
        <Text size={100} className={styles.size}>
          {fileSize(attachment.size)}
        </Text>
      </span>
      {download.isPending ? <Spinner size="tiny" /> : <ArrowDownloadRegular aria-hidden className={styles.icon} />}
    </button>
  );
}
