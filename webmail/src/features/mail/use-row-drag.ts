import type { EmailRowDto } from '@selvage/core/contracts/email';
import type { LabelDto } from '@selvage/core/contracts/labels';
import { makeStyles, tokens } from '@fluentui/react-components';
import type { DragEvent } from 'react';
import { useWords } from '../../lib/i18n.ts';
import { mailListWords } from '../../words/mail-list.ts';
import { useLabels } from './labels/use-labels.ts';
import { endDrag, startDrag } from './row-drag.ts';
import type { StatusPatch } from './use-change-status.ts';

const useStyles = makeStyles({
  // The image beside the pointer. The browser draws it once; the element itself is off the screen
  image: {
    position: 'fixed',
    top: '-100px',
    left: 0,
    padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalM}`,
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorBrandBackground,
    color: tokens.colorNeutralForegroundOnBrand,
    fontWeight: tokens.fontWeightSemibold,
    whiteSpace: 'nowrap',
  },
});

interface Options {
  rows: readonly EmailRowDto[];
  /** The rows to drag: this row, or all chosen rows if it is one of them. */
  meantBy: (row: EmailRowDto) => readonly EmailRowDto[];
  mayChange: (row: EmailRowDto) => boolean;
  /** How many are chosen, when these are more than the ticked rows. */
  chosenNumber: number | undefined;
  onDrop: (row: EmailRowDto, patch: StatusPatch) => void;
  onLabel: (row: EmailRowDto, label: LabelDto) => void;
}

/** Lets rows be dragged to a folder or a label; the keyboard has the menu of the row for that. */
export function useRowDrag({ rows, meantBy, mayChange, chosenNumber, onDrop, onLabel }: Options) {
  const styles = useStyles();
  const t = useWords(mailListWords);
  const labels = useLabels();
  const onDragStart = (event: DragEvent<HTMLElement>): void => {
    const item = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-entry]') : null;
    const row = rows.find(({ _id }) => _id === item?.dataset['entry']);
    const meant = row ? meantBy(row) : [];
    const movable = meant.filter(mayChange);
    if (!row || movable.length === 0) return;
    const number = (meant.length === rows.length ? chosenNumber : undefined) ?? movable.length;
    const label = (meant.some(({ thread }) => thread) ? t.conversationCount : t.messageCount)(number);
    startDrag(event, {
      rows: movable,
      label,
      className: styles.image,
      onDrop: (patch) => onDrop(row, patch),
      isWhole: chosenNumber !== undefined,
      onLabel: (id) => {
        const dropped = labels.find(({ _id }) => _id === id);
        if (dropped) onLabel(row, dropped);
      },
    });
  };
  return { onDragStart, onDragEnd: endDrag };
}
