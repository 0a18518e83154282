import type { MouseEvent } from 'react';
import { TagRegular } from '@fluentui/react-icons/svg/tag';
import { IconButton } from '../../../components/IconButton.tsx';
import { useWords } from '../../../lib/i18n.ts';
import { labelWords } from '../../../words/labels.ts';
import { type LabelsOfAll, openLabelMenu } from './label-menu.ts';
import { LabelMenu } from './LabelMenuHost.tsx';
import type { Labelled } from './use-change-labels.ts';

interface Props {
  of: 'list' | 'message';
  records: readonly Labelled[];
  ofAll?: LabelsOfAll | undefined;
  isDisabled?: boolean;
}

/** Opens the menu of labels for messages. */
export function LabelButton({ of, records, ofAll, isDisabled = false }: Props) {
  const t = useWords(labelWords);
  return (
    <IconButton
      label={t.label}
      icon={<TagRegular />}
      aria-haspopup="dialog"
      data-label-button={of}
      disabledFocusable={isDisabled}
      onPointerEnter={LabelMenu.prepare}
      onClick={({ currentTarget }: MouseEvent<HTMLButtonElement>) => openLabelMenu(currentTarget, records, ofAll)}
    />
  );
}
