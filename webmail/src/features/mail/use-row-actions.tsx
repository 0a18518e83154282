import type { EmailRowDto } from '@selvage/core/contracts/email';
import type { Selection } from '../../hooks/use-selection.ts';
import type { Shortcuts } from '../../hooks/use-shortcuts.ts';
import { areIn } from './folder-rules.ts';
import { openLabelMenu } from './labels/label-menu.ts';
import { useChangeLabels } from './labels/use-change-labels.ts';
import type { MailPlace } from './mail-place.ts';
import { askMove } from './own-folders/moving.ts';
import { askSnooze, maySnooze } from './snoozing.ts';
import { useActOn } from './use-act-on.ts';
import { type AnswerKind, useAnswers } from './use-answers.ts';
import { type StatusPatch, useChangeStatus } from './use-change-status.ts';
import { useMayChange } from './use-may-change.ts';
import { useRowDrag } from './use-row-drag.ts';
import { linkOf, useRowMenu } from './use-row-menu.tsx';
import { useRowSwipe } from './use-row-swipe.tsx';
import { labelsOfAll, type WholeFolderState } from './use-whole-folder.ts';

interface Options {
  /** The list that has the rows; null where they may be in any folder. */
  place: MailPlace | null;
  rows: readonly EmailRowDto[];
  selection: Selection<EmailRowDto>;
  whole: WholeFolderState;
  /** Rows on all pages. */
  total: number;
  canCompose: boolean;
  focusedRow: () => EmailRowDto | undefined;
  /** The address of a row's message. */
  addressOf: (row: EmailRowDto) => string;
  onOpen: (row: EmailRowDto) => void;
}

/** What can be done with rows of messages by key, by their menu, by dragging and by a finger. */
export function useRowActions(options: Options) {
  const { place, rows, selection, whole, total, canCompose, focusedRow, addressOf, onOpen } = options;
  const changeStatus = useChangeStatus();
  const changeLabels = useChangeLabels();
  const mayChange = useMayChange();
  const actOn = useActOn(selection, whole);
  const chosenNumber = whole.chosen ? total : undefined;

  const targets = (): EmailRowDto[] => {
    const row = focusedRow();
    return selection.chosen.length > 0 ? selection.chosen : row ? [row] : [];
  };
  /**
   * The rows that an action at a row changes: this row, or all chosen rows if it is one of them.
   */
  const meantBy = (row: EmailRowDto): EmailRowDto[] => (selection.isChosen(row._id) ? selection.chosen : [row]);
  /** All of the folder is being counted for a choice: the rows of the page are not all of it. */
  const isCounted = (records: readonly EmailRowDto[]): boolean => whole.isMarking && records === selection.chosen;
  const askFolder = (records: readonly EmailRowDto[]): void => {
    if (isCounted(records)) return;
    askMove(records.filter(mayChange), (patch) => actOn(records, patch), whole.chosen?.total);
  };
  const askLabel = (target: HTMLElement | null, records: readonly EmailRowDto[]): void => {
    if (isCounted(records)) return;
    openLabelMenu(target, records.filter(mayChange), labelsOfAll(whole));
  };
  const toggleStar = (row: EmailRowDto): void =>
    void changeStatus({ records: [row], patch: { star_status: !row.star_status } });

  const { menu, onContextMenu, openAt } = useRowMenu({
    rows,
    selection,
    chosenNumber,
    canCompose,
    mayChange,
    onChange: (row, patch) => actOn(meantBy(row), patch),
    addressOf,
    onOpen,
    onMove: (row) => askFolder(meantBy(row)),
    onLabel: (row) => askLabel(linkOf(row._id), meantBy(row)),
    onDeleteAll: whole.chosen ? () => whole.ask({ delete_status: true }) : undefined,
  });
  const drag = useRowDrag({
    rows,
    meantBy,
    mayChange,
    chosenNumber,
    onDrop: (row, patch) => actOn(meantBy(row), patch),
    onLabel: (row, label) => {
      const records = meantBy(row);
      if (isCounted(records)) return;
      if (whole.chosen) whole.ask({ label, isOn: true });
      else void changeLabels({ records, label, isOn: true });
    },
  });
  const swipe = useRowSwipe({
    rows,
    mayChange,
    onSwiped: selection.chosen.length > 0 ? undefined : (row, patch) => actOn([row], patch),
  });
  const act = (patchOf: (records: readonly EmailRowDto[]) => StatusPatch) => (): void => {
    const records = targets();
    if (records.length > 0) actOn(records, patchOf(records));
  };
  const keys: Shortcuts = {
    I: act(() => ({ read_status: true })),
    U: act(() => ({ read_status: false })),
    e: act((records) => ({ archive_status: !areIn('archive', place, records) })),
    '#': act((records) => ({ trash_status: !areIn('trash', place, records) })),
    '!': act((records) => ({ junk_status: !areIn('junk', place, records) })),
    b: () => {
      const meant = targets();
      const canBe = !whole.chosen && !isCounted(meant) && meant.some(mayChange) && meant.every(maySnooze);
      if (canBe) askSnooze(meant, (patch) => actOn(meant, patch));
    },
    v: () => askFolder(targets()),
    s: () => {
      const meant = targets();
      if (whole.chosen) actOn(meant, { star_status: true });
      else if (!isCounted(meant)) meant.forEach(toggleStar);
    },
    l: () => askLabel(placeOfMenu(focusedRow()), targets()),
    o: () => {
      const row = focusedRow();
      if (row) onOpen(row);
    },
    '.': () => {
      const row = focusedRow();
      if (row) openAt(row);
    },
    ...useAnswerKeys(focusedRow, canCompose),
  };
  return {
    keys,
    /** Properties for the element of the list. */
    className: swipe.className,
    listens: { onContextMenu, ...drag, ...swipe.listens },
    /** Menus and dialogs over the list. */
    overlays: (
      <>
        {swipe.hint}
        {menu}
      </>
    ),
    /**
     * The action of the buttons in a row, for this row alone; left out for people who may not
     * change it.
     */
    changeOf: (row: EmailRowDto) =>
      mayChange(row)
        ? (patch: StatusPatch, isSaid = true) => void changeStatus({ records: [row], patch, isSaid })
        : undefined,
  };
}

/**
 * The element at which the menu of labels opens: the button of the bar, or the row with the focus.
 */
function placeOfMenu(row: EmailRowDto | undefined): HTMLElement | null {
  return document.querySelector<HTMLElement>('[data-label-button="list"]') ?? (row ? linkOf(row._id) : null);
}

/** Keys that answer the row with the focus. */
function useAnswerKeys(focusedRow: () => EmailRowDto | undefined, canCompose: boolean): Shortcuts {
  const answer = useAnswers();
  const answerFocused = (kind: AnswerKind) => (): void => {
    const row = focusedRow();
    if (row) answer(row._id, kind);
  };
  if (!canCompose) return {};
  return { r: answerFocused('reply'), a: answerFocused('replyAll'), f: answerFocused('forward') };
}
