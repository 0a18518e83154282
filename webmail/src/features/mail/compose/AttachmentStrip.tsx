import { makeStyles, MessageBar, MessageBarActions, MessageBarBody, Text, tokens } from '@fluentui/react-components';
import { DismissRegular } from '@fluentui/react-icons/svg/dismiss';
import { FileIcon } from '../../../components/FileIcon.tsx';
import { IconButton } from '../../../components/IconButton.tsx';
import { fileSize } from '../../../lib/format.ts';
import type { useComposeForm } from './use-compose-form.ts';

const useStyles = makeStyles({
  root: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalXS, flexShrink: 0 },
  list: {
    display: 'flex',
    flexWrap: 'wrap',
    gap: tokens.spacingHorizontalS,
    listStyleType: 'none',
    margin: 0,
    padding: 0,
    maxHeight: '112px',
    overflowY: 'auto',
  },
  file: {
    display: 'flex',
    alignItems: 'center',
    gap: tokens.spacingHorizontalXS,
    maxWidth: '240px',
    paddingLeft: tokens.spacingHorizontalS,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusMedium,
  },
  name: { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  size: { color: tokens.colorNeutralForeground3, whiteSpace: 'nowrap' },
});

interface Props {
  attached: ReturnType<typeof useComposeForm>['attached'];
}

export function AttachmentStrip({ attached }: Props) {
  const styles = useStyles();
  const { files, carried, problems } = attached;
  if (files.length + carried.length + problems.length === 0) return null;
  return (
    <div className={styles.root}>
      {problems.length > 0 && (
        <MessageBar intent="error" layout="multiline" role="alert">
          <MessageBarBody>
            {problems.map((problem) => (
              <div key={problem}>{problem}</div>
            ))}
          </MessageBarBody>
          <MessageBarActions
            containerAction={<IconButton label="Close" icon={<DismissRegular />} onClick={attached.forgetProblems} />}
          />
        </MessageBar>
      )}
      <ul className={styles.list} aria-label="Attachments">
        {carried.map((file) => (
          <FileChip
            key={file._id}
            name={file.original_name}
            type={file.contentType}
            size={file.size}
            onRemove={() => attached.drop(file._id)}
          />
        ))}
        {files.map((file, index) => (
          <FileChip
            key={`${file.name}:${index}`}
            name={file.name}
            type={file.type}
            size={file.size}
            onRemove={() => attached.remove(file)}
          />
        ))}
      </ul>
    </div>
  );
}

interface ChipProps {
  name: string;
  type: string;
  size: number;
  onRemove: () => void;
}

function FileChip({ name, type, size, onRemove }: ChipProps) {
  const styles = useStyles();
  return (
    <li className={styles.file}>
      <FileIcon contentType={type} />
      <Text size={200} className={styles.name} title={name}>
        {name}
      </Text>
      <Text size={100} className={styles.size}>
        {fileSize(size)}
      </Text>
      <IconButton label={`Remove ${name}`} size="small" icon={<DismissRegular />} onClick={onRemove} />
    </li>
  );
}
