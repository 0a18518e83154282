import type { AttachmentDto } from '@selvage/core/contracts/email';
import { Button, makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { ArrowDownloadRegular } from '@fluentui/react-icons/svg/arrow-download';
import { useMutation } from '@tanstack/react-query';
import { type MouseEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import { FileIcon } from '../../components/FileIcon.tsx';
import { notify } from '../../components/feedback/notify.ts';
import { Ring } from '../../components/feedback/Ring.tsx';
import { useMedia } from '../../hooks/use-media.ts';
import { fileSize } from '../../lib/format.ts';
import { useWords } from '../../lib/i18n.ts';
import { NARROW } from '../../theme/breakpoints.ts';
import { focusRing, oneLine } from '../../theme/styles.ts';
import { readingWords } from '../../words/reading.ts';
import { lazyExtra } from '../../components/lazy-extra.tsx';
import { previewOf } from './previewable.ts';

const PreviewDialog = lazyExtra(() => import('./PreviewDialog.tsx'));

const useStyles = makeStyles({
  list: {
    display: 'flex',
    flexWrap: 'wrap',
    gap: tokens.spacingHorizontalS,
    listStyleType: 'none',
    margin: 0,
    padding: 0,
    flexShrink: 0,
  },
  card: {
    display: 'flex',
    maxWidth: '260px',
    border: `1px solid ${tokens.colorNeutralStroke1}`,
    borderRadius: tokens.borderRadiusMedium,
  },
  file: {
    display: 'flex',
    alignItems: 'center',
    gap: tokens.spacingHorizontalS,
    minWidth: 0,
    minHeight: '44px',
    padding: `${tokens.spacingVerticalXS} ${tokens.spacingHorizontalM}`,
    border: 'none',
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackground1,
    color: tokens.colorNeutralForeground1,
    cursor: 'pointer',
    fontFamily: 'inherit',
    textAlign: 'left',
    ':hover': { backgroundColor: tokens.colorNeutralBackground1Hover },
    ...focusRing,
  },
  all: { display: 'flex', alignItems: 'center' },
  beside: { flexShrink: 0, minWidth: '44px', justifyContent: 'center', padding: 0 },
  icon: { flexShrink: 0, fontSize: '16px' },
  words: { display: 'flex', flexDirection: 'column', minWidth: 0, fontSize: tokens.fontSizeBase200 },
  name: oneLine,
  size: { color: tokens.colorNeutralForeground3 },
});

/** How many files are shown at first: more would push the text off the screen. */
const FIRST = 20;
/** The same on a phone. */
const FIRST_NARROW = 4;
/** A few more are no reason for a button. */
const FEW = 4;

interface Props {
  attachments: AttachmentDto[];
  /**
   * The address of one archive with all files; null when there are too few for one. The calendar
   * file of an invitation does not count, because the invitation's card shows it.
   */
  allPath: string | null;
}

/** The files of a message: a press on one shows it where that is safe, and saves it else. */
export function AttachmentList({ attachments, allPath }: Props) {
  const styles = useStyles();
  const t = useWords(readingWords);
  const [shown, setShown] = useState<AttachmentDto | null>(null);
  const files = attachments.filter((attachment) => attachment.showData);
  const [isWhole, setWhole] = useState(false);
  const first = useMedia(NARROW) ? FIRST_NARROW : FIRST;
  if (files.length === 0) return null;
  const listed = isWhole || files.length <= first + FEW ? files : files.slice(0, first);
  const rest = files.length - listed.length;
  const showAll = ({ currentTarget: button }: MouseEvent<HTMLElement>): void => {
    const hadKeyFocus = button.matches(':focus-visible');
    const list = button.closest('ul');
    flushSync(() => setWhole(true));
    // The button is gone, and the focus would fall to the page
    if (hadKeyFocus) list?.children[listed.length]?.querySelector('button')?.focus();
  };
  return (
    <>
      <ul className={styles.list} aria-label={t.attachments(files.length)}>
        {listed.map((file) => (
          <li key={file._id} className={styles.card}>
            {previewOf(file) === null ? (
              <SaveButton attachment={file} isWhole />
            ) : (
              <>
                <ShowButton attachment={file} onShow={() => setShown(file)} />
                <SaveButton attachment={file} />
              </>
            )}
          </li>
        ))}
        {rest > 0 && (
          <li className={styles.all}>
            <Button appearance="subtle" onClick={showAll}>
              {t.andMore(rest)}
            </Button>
          </li>
        )}
        {allPath !== null && files.length > 1 && (
          <li className={styles.all}>
            <SaveAllButton path={allPath} />
          </li>
        )}
      </ul>
      {shown && <PreviewDialog attachment={shown} onClose={() => setShown(null)} />}
    </>
  );
}

// The code that saves files is fetched when it is wanted
const saveAll = async (path: string) => (await import('./download.ts')).saveAllFiles(path);
const saveOne = async (attachment: AttachmentDto) => (await import('./download.ts')).saveAttachment(attachment);

function SaveAllButton({ path }: { path: string }) {
  const t = useWords(readingWords);
  const download = useMutation({ mutationFn: saveAll, onError: notify.error });
  return (
    <Button
      appearance="subtle"
      icon={download.isPending ? <Ring /> : <ArrowDownloadRegular />}
      disabled={download.isPending}
      onClick={() => download.mutate(path)}
    >
      {t.downloadAll}
    </Button>
  );
}

function ShowButton({ attachment, onShow }: { attachment: AttachmentDto; onShow: () => void }) {
  const styles = useStyles();
  const t = useWords(readingWords);
  return (
    <button
      type="button"
      className={styles.file}
      aria-label={t.show({ name: attachment.original_name, size: fileSize(attachment.size) })}
      onPointerEnter={PreviewDialog.prepare}
      onFocus={PreviewDialog.prepare}
      onClick={onShow}
    >
      <FileWords attachment={attachment} />
    </button>
  );
}

/**
 * `isWhole`: the button is the whole card. Otherwise it is an icon beside the part that shows the
 * file.
 */
function SaveButton({ attachment, isWhole = false }: { attachment: AttachmentDto; isWhole?: boolean }) {
  const styles = useStyles();
  const t = useWords(readingWords);
  const download = useMutation({ mutationFn: saveOne, onError: notify.error });
  return (
    <button
      type="button"
      className={mergeClasses(styles.file, !isWhole && styles.beside)}
      aria-label={t.download({ name: attachment.original_name, size: fileSize(attachment.size) })}
      disabled={download.isPending}
      onClick={() => download.mutate(attachment)}
    >
      {isWhole && <FileWords attachment={attachment} />}
      {download.isPending ? <Ring /> : <ArrowDownloadRegular aria-hidden className={styles.icon} />}
    </button>
  );
}

function FileWords({ attachment }: { attachment: AttachmentDto }) {
  const styles = useStyles();
  return (
    <>
      <FileIcon contentType={attachment.contentType} />
      <span className={styles.words}>
        <span className={styles.name} dir="auto" title={attachment.original_name}>
          {attachment.original_name}
        </span>
        <span className={styles.size}>{fileSize(attachment.size)}</span>
      </span>
    </>
  );
}
