import type { EmailRowDto } from '@selvage/core/contracts/email';
import { attachmentLimits } from '@selvage/core/contracts/mail';
import { type MouseEvent, type ReactNode, useState } from 'react';
import { lazyExtra } from '../../components/lazy-extra.tsx';
import type { Selection } from '../../hooks/use-selection.ts';
import { openCompose } from './compose/compose-store.ts';
import { deleting, useMayDeleteForGood } from './deleting.ts';
import { useAnswers } from './use-answers.ts';
import type { StatusPatch } from './use-change-status.ts';

const RowContextMenu = lazyExtra(() => import('./RowContextMenu.tsx'));

interface Options {
  rows: readonly EmailRowDto[];
  selection: Selection<EmailRowDto>;
  /** How many are chosen, when these are more than the ticked rows. */
  chosenNumber: number | undefined;
  canCompose: boolean;
  mayChange: (row: EmailRowDto) => boolean;
  /** Changes the row, or all chosen ones when it is one of them. */
  onChange: (row: EmailRowDto, patch: StatusPatch) => void;
  /** The address of a row's message. */
  addressOf: (row: EmailRowDto) => string;
  onOpen: (row: EmailRowDto) => void;
  onMove: (row: EmailRowDto) => void;
  onLabel: (row: EmailRowDto) => void;
  /** Deletes all of the folder for good; left out while only rows are chosen. */
  onDeleteAll: (() => void) | undefined;
}

interface RowMenu {
  menu: ReactNode;
  onContextMenu: (event: MouseEvent) => void;
  /** Opens the menu of a row below it. */
  openAt: (row: EmailRowDto) => void;
}

export const linkOf = (id: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-entry="${CSS.escape(id)}"] [data-row-link]`);

/**
 * The menu of a row, asked for by a right press, the menu key or Shift+F10: browsers make one event
 * of all three. With Shift held, the browser's own menu comes.
 */
export function useRowMenu(options: Options): RowMenu {
  const { rows, selection, chosenNumber, canCompose, mayChange, onChange, addressOf, onOpen, onMove, onLabel } =
    options;
  const mayDeleteForGood = useMayDeleteForGood();
  const [asked, setAsked] = useState<{ id: string; at: { x: number; y: number } } | null>(null);
  const answer = useAnswers();
  const row = rows.find(({ _id }) => _id === asked?.id);

  const onContextMenu = (event: MouseEvent): void => {
    const item = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-entry]') : null;
    const pointed = rows.find(({ _id }) => _id === item?.dataset['entry']);
    // The event of a key has no button, and its position is that of the focus
    if (!item || !pointed || (event.shiftKey && event.button === 2)) return;
    event.preventDefault();
    const isKey = event.button !== 2;
    setAsked({ id: pointed._id, at: isKey ? below(item) : { x: event.clientX, y: event.clientY } });
  };
  const openAt = ({ _id }: EmailRowDto): void => {
    const item = linkOf(_id)?.closest<HTMLElement>('[data-entry]');
    if (item) setAsked({ id: _id, at: below(item) });
  };
  if (!asked || !row) return { menu: null, onContextMenu, openAt };
  const isOneOfChosen = selection.isChosen(row._id);
  const meant = isOneOfChosen ? selection.chosen : [row];
  const close = (): void => {
    setAsked(null);
    linkOf(row._id)?.focus({ preventScroll: true });
  };
  const number = (isOneOfChosen ? chosenNumber : undefined) ?? meant.length;
  const mayForward = canCompose && number === meant.length && number <= attachmentLimits.files;
  const menu = (
    <RowContextMenu
      at={asked.at}
      row={row}
      rows={meant}
      number={number}
      isChosen={isOneOfChosen}
      onChange={meant.some(mayChange) ? (patch) => onChange(row, patch) : undefined}
      onMove={meant.some(mayChange) ? () => onMove(row) : undefined}
      onLabel={meant.some(mayChange) ? () => onLabel(row) : undefined}
      onDeleteForGood={mayDeleteForGood(meant) ? (options.onDeleteAll ?? (() => deleting.set(meant))) : undefined}
      onAnswer={canCompose ? (kind) => answer(row._id, kind) : undefined}
      onForwardWhole={mayForward ? () => openCompose({ kind: 'forwardWhole', messages: meant }) : undefined}
      onOpen={() => onOpen(row)}
      onOpenTab={() => window.open(addressOf(row), '_blank', 'noopener')}
      onSelect={() => selection.choose(row._id, !isOneOfChosen)}
      onClose={close}
    />
  );
  return { menu, onContextMenu, openAt };
}

function below(item: HTMLElement): { x: number; y: number } {
  const { left, top, height } = item.getBoundingClientRect();
  return { x: left + 48, y: top + height };
}
