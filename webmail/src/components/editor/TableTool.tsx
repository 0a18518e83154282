import {
  makeStyles,
  mergeClasses,
  Menu,
  MenuDivider,
  MenuItem,
  MenuList,
  MenuPopover,
  MenuTrigger,
  Popover,
  PopoverSurface,
  PopoverTrigger,
  tokens,
} from '@fluentui/react-components';
import { TableRegular } from '@fluentui/react-icons/svg/table';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { editTable, type IEditor, insertTable, type TableOperation } from 'roosterjs';
import { useWords } from '../../lib/i18n.ts';
import { focusRing } from '../../theme/styles.ts';
import { editorWords } from '../../words/editor.ts';
import { IconButton } from '../IconButton.tsx';

/** The largest table that is begun with one press; rows and columns can be added later. */
const MOST = 6;
const numbers = Array.from({ length: MOST }, (_one, index) => index + 1);

const useStyles = makeStyles({
  grid: { display: 'grid', gridTemplateColumns: `repeat(${MOST}, 24px)`, gap: '3px' },
  row: { display: 'contents' },
  cell: {
    width: '24px',
    height: '24px',
    padding: 0,
    border: `1px solid ${tokens.colorNeutralStroke1}`,
    borderRadius: '2px',
    backgroundColor: tokens.colorNeutralBackground1,
    cursor: 'pointer',
    ...focusRing,
  },
  inside: { backgroundColor: tokens.colorBrandBackground2, border: `1px solid ${tokens.colorBrandStroke1}` },
  size: { paddingTop: tokens.spacingVerticalS, fontSize: tokens.fontSizeBase200, textAlign: 'center' },
});

interface Props {
  isInTable: boolean;
  onRun: (run: (editor: IEditor) => void) => void;
}

/** A button that begins a table, or changes the one in which the cursor is. */
export function TableTool({ isInTable, onRun }: Props) {
  const t = useWords(editorWords);
  return isInTable ? <TableMenu onRun={onRun} /> : <NewTable onRun={onRun} label={t.insertTable} />;
}

function NewTable({ label, onRun }: Pick<Props, 'onRun'> & { label: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover open={isOpen} trapFocus onOpenChange={(_event, data) => setOpen(data.open)}>
      <PopoverTrigger disableButtonEnhancement>
        <IconButton label={label} size="small" icon={<TableRegular />} />
      </PopoverTrigger>
      <PopoverSurface aria-label={label}>
        <SizeGrid
          onChoose={(rows, columns) => {
            setOpen(false);
            onRun((editor) => insertTable(editor, columns, rows));
          }}
        />
      </PopoverSurface>
    </Popover>
  );
}

interface Size {
  rows: number;
  columns: number;
}

/** Where an arrow key leads in the grid. */
function sizeAfter(key: string, { rows, columns }: Size): Size {
  const within = (number: number): number => Math.min(MOST, Math.max(1, number));
  if (key === 'ArrowRight') return { rows, columns: within(columns + 1) };
  if (key === 'ArrowLeft') return { rows, columns: within(columns - 1) };
  if (key === 'ArrowDown') return { rows: within(rows + 1), columns };
  return key === 'ArrowUp' ? { rows: within(rows - 1), columns } : { rows, columns };
}

/** Squares by which the size of a table is chosen, with the pointer or with arrow keys. */
function SizeGrid({ onChoose }: { onChoose: (rows: number, columns: number) => void }) {
  const styles = useStyles();
  const t = useWords(editorWords);
  const [size, setSize] = useState<Size>({ rows: 1, columns: 1 });
  const gridRef = useRef<HTMLDivElement>(null);
  const stopRef = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (gridRef.current?.contains(document.activeElement)) stopRef.current?.focus();
  }, [size]);
  const handleKey = (event: KeyboardEvent): void => {
    const next = sizeAfter(event.key, size);
    if (next.rows === size.rows && next.columns === size.columns) return;
    event.preventDefault();
    setSize(next);
  };
  return (
    <>
      <div ref={gridRef} role="grid" aria-label={t.tableSize} className={styles.grid} onKeyDown={handleKey}>
        {numbers.map((rows) => (
          <div key={rows} role="row" className={styles.row}>
            {numbers.map((columns) => {
              const isStop = rows === size.rows && columns === size.columns;
              return (
                <div key={columns} role="gridcell">
                  <button
                    ref={isStop ? stopRef : undefined}
                    type="button"
                    className={mergeClasses(styles.cell, rows <= size.rows && columns <= size.columns && styles.inside)}
                    tabIndex={isStop ? 0 : -1}
                    aria-label={t.tableOf({ rows, columns })}
                    // A pointer that rests where the squares appear has chosen nothing
                    onPointerMove={({ movementX, movementY }) => {
                      if ((movementX !== 0 || movementY !== 0) && !isStop) setSize({ rows, columns });
                    }}
                    onClick={() => onChoose(rows, columns)}
                  />
                </div>
              );
            })}
          </div>
        ))}
      </div>
      <div className={styles.size} aria-hidden>
        {t.tableOf({ rows: size.rows, columns: size.columns })}
      </div>
    </>
  );
}

const changes = [
  ['rowAbove', 'insertAbove'],
  ['rowBelow', 'insertBelow'],
  ['columnLeft', 'insertLeft'],
  ['columnRight', 'insertRight'],
] as const satisfies [string, TableOperation][];
const removals = [
  ['deleteRow', 'deleteRow'],
  ['deleteColumn', 'deleteColumn'],
  ['deleteTable', 'deleteTable'],
] as const satisfies [string, TableOperation][];

/**
 * The editor selects what it has inserted, and would insert as many again with the next press. The
 * cursor goes into the first of the new cells instead.
 */
function changeTable(editor: IEditor, operation: TableOperation): void {
  editTable(editor, operation);
  const selection = editor.getDOMSelection();
  if (selection?.type !== 'table') return;
  const cell = selection.table.rows[selection.firstRow]?.cells[selection.firstColumn];
  if (!cell) return;
  const range = editor.getDocument().createRange();
  range.setStart(cell.querySelector('div') ?? cell, 0);
  editor.setDOMSelection({ type: 'range', range, isReverted: false });
}

function TableMenu({ onRun }: Pick<Props, 'onRun'>) {
  const t = useWords(editorWords);
  const itemsOf = (items: typeof changes | typeof removals) =>
    items.map(([name, operation]) => (
      <MenuItem key={name} onClick={() => onRun((editor) => changeTable(editor, operation))}>
        {t[name]}
      </MenuItem>
    ));
  return (
    <Menu>
      <MenuTrigger disableButtonEnhancement>
        <IconButton label={t.changeTable} size="small" icon={<TableRegular />} />
      </MenuTrigger>
      <MenuPopover>
        <MenuList aria-label={t.changeTable}>
          {itemsOf(changes)}
          <MenuDivider />
          {itemsOf(removals)}
        </MenuList>
      </MenuPopover>
    </Menu>
  );
}
