import type { EmailRowDto } from '@selvage/core/contracts/email';
import { FolderArrowRightRegular } from '@fluentui/react-icons/svg/folder-arrow-right';
import { IconButton } from '../../../components/IconButton.tsx';
import { useWords } from '../../../lib/i18n.ts';
import { ownFolderWords } from '../../../words/own-folders.ts';
import type { MovePatch } from './move-calls.ts';
import { askMove } from './moving.ts';

interface Props {
  records: readonly EmailRowDto[];
  /** How many messages are moved, if more than the records. */
  number: number | undefined;
  isDisabled: boolean;
  onMove: (patch: MovePatch) => void;
}

/** Asks to which folder messages are moved. */
export function MoveButton({ records, number, isDisabled, onMove }: Props) {
  const t = useWords(ownFolderWords);
  return (
    <IconButton
      label={t.move}
      icon={<FolderArrowRightRegular />}
      disabledFocusable={isDisabled}
      onClick={() => askMove(records, onMove, number)}
    />
  );
}
