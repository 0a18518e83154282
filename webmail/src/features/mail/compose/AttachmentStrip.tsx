import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { DismissRegular } from '@fluentui/react-icons/svg/dismiss';
import { useStore } from '@nanostores/react';
import type { MouseEvent } from 'react';
import { FileIcon } from '../../../components/FileIcon.tsx';
import { FormMessage } from '../../../components/form/FormMessage.tsx';
import { IconButton } from '../../../components/IconButton.tsx';
import { fileSize } from '../../../lib/format.ts';
import { useWords } from '../../../lib/i18n.ts';
import { oneLine } from '../../../theme/styles.ts';
import { composeWords } from '../../../words/compose.ts';
import { carriedFiles } from './composition.ts';
import { attachSmaller, dropCarried, removeFile } from './message-files.ts';
import type { OpenMessage } from './windows.ts';

const useStyles = makeStyles({
  root: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalXS, flexShrink: 0 },
  list: {
    display: 'flex',
    flexWrap: 'wrap',
    gap: tokens.spacingHorizontalS,
    listStyleType: 'none',
    margin: 0,
    padding: `${tokens.spacingVerticalXS} 0`,
    maxHeight: '112px',
    overflowY: 'auto',
  },
  file: {
    display: 'flex',
    alignItems: 'center',
    gap: tokens.spacingHorizontalS,
    maxWidth: '240px',
    padding: `2px 2px 2px ${tokens.spacingHorizontalS}`,
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackground3,
  },
  words: { display: 'flex', flexDirection: 'column', minWidth: 0 },
  name: { ...oneLine, fontSize: tokens.fontSizeBase200, lineHeight: '16px' },
  size: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase100, lineHeight: '14px' },
});

/** The files of a message as cards, and why others were left out. */
export function AttachmentStrip({ message }: { message: OpenMessage }) {
  const styles = useStyles();
  const t = useWords(composeWords);
  const composition = useStore(message.composition);
  const problems = useStore(message.fileProblems);
  const large = useStore(message.largePictures);
  const carried = carriedFiles(composition);
  const { files } = composition;
  if (files.length + carried.length + problems.length === 0) return null;
  return (
    <div className={styles.root}>
      {problems.length > 0 && (
        <FormMessage
          text={problems.map((problem) => <div key={problem}>{problem}</div>)}
          action={
            <>
              {large.length > 0 && (
                <Button
                  size="small"
                  onClick={({ currentTarget }) => {
                    goToAttach(currentTarget);
                    attachSmaller(message);
                  }}
                >
                  {t.attachSmaller(large.length)}
                </Button>
              )}
              <IconButton
                label={t.close}
                size="small"
                icon={<DismissRegular />}
                onClick={({ currentTarget }: MouseEvent<HTMLElement>) => {
                  goToAttach(currentTarget);
                  message.fileProblems.set([]);
                  message.largePictures.set([]);
                }}
              />
            </>
          }
        />
      )}
      {files.length + carried.length > 0 && (
        <ul className={styles.list} aria-label={t.files}>
          {carried.map(({ _id: id, original_name: name, contentType: type, size }) => (
            <FileCard key={id} name={name} type={type} size={size} onRemove={() => dropCarried(message, id)} />
          ))}
          {files.map(({ id, name, type, size }) => (
            <FileCard key={id} name={name} type={type} size={size} onRemove={() => removeFile(message, id)} />
          ))}
        </ul>
      )}
    </div>
  );
}

/*
 * A button that leaves moves the focus on within the window: keys that are typed outside of it act
 * on the mail behind it.
 */

function goToAttach(button: HTMLElement): void {
  button.closest('[role=dialog]')?.querySelector<HTMLElement>('[data-attach]')?.focus();
}

/** Moves the focus to the next file, or to the one before. */
function leaveCard(button: HTMLElement): void {
  const card = button.closest('li');
  const next = (card?.nextElementSibling ?? card?.previousElementSibling)?.querySelector('button');
  if (next) next.focus();
  else goToAttach(button);
}

interface CardProps {
  name: string;
  type: string;
  size: number;
  onRemove: () => void;
}

function FileCard({ name, type, size, onRemove }: CardProps) {
  const styles = useStyles();
  const t = useWords(composeWords);
  const handleRemove = ({ currentTarget }: MouseEvent<HTMLElement>): void => {
    leaveCard(currentTarget);
    onRemove();
  };
  return (
    <li className={styles.file}>
      <FileIcon contentType={type} />
      <span className={styles.words}>
        <span className={styles.name} data-tip={name}>
          {name}
        </span>
        <span className={styles.size}>{fileSize(size)}</span>
      </span>
      <IconButton label={t.removeFile({ name })} size="small" icon={<DismissRegular />} onClick={handleRemove} />
    </li>
  );
}
