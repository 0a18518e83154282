import type { Endpoint } from '@selvage/core/contracts/endpoint';
import { Combobox, makeStyles, mergeClasses, Option } from '@fluentui/react-components';
import { type QueryKey, queryOptions, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type SyntheticEvent, useState } from 'react';
import type { z } from 'zod';
import { useDebounced } from '../../hooks/use-debounced.ts';
import { listQuery } from '../../hooks/use-list-query.ts';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/api-error.ts';
import { useWords } from '../../lib/i18n.ts';
import { listWords } from '../../words/lists.ts';

const SEARCH_AFTER_MS = 300;
const SHOWN = 20;

const useStyles = makeStyles({
  root: { minWidth: 0, width: '100%', '& input': { minWidth: 0, textOverflow: 'ellipsis' } },
  list: { maxHeight: '320px' },
});

/** Records to choose one from: a call that lists and searches them, and one that reads one. */
export interface Records<Row> {
  list: Endpoint<z.ZodType, z.ZodType, z.ZodType, z.ZodType<Row[]>>;
  get: Endpoint<z.ZodType, z.ZodUndefined, z.ZodUndefined, z.ZodType<Row>>;
  /** Beginning of the keys of all queries about them. */
  queryKey: QueryKey;
  /** Narrows the list, to one company for example. */
  query?: Record<string, string>;
  keyOf: (row: Row) => string;
  nameOf: (row: Row) => string;
}

interface Props<Row> {
  records: Records<Row>;
  /** The record's id; empty for none. */
  value: string;
  /** Called with the chosen record and its id, or with an empty id when the choice is cleared. */
  onPick: (id: string, row: Row | undefined) => void;
  placeholder?: string;
  isDisabled?: boolean;
  /** Of a form's field, by which the first problem finds it. */
  name?: string;
  /** Where no label stands above it. */
  label?: string;
  className?: string | undefined;
}

/** The record with this id; its name is shown while nothing is typed. */
function recordQuery<Row>({ get, queryKey }: Records<Row>, id: string) {
  return queryOptions({
    queryKey: [...queryKey, 'record', id],
    queryFn: ({ signal }) => api(get, { params: { id }, signal }),
    enabled: id !== '',
  });
}

/**
 * Chooses one of many records. The server searches for what is typed, so thousands of records are
 * as easy as three.
 */
export function RecordPicker<Row>({
  records,
  value,
  onPick,
  placeholder,
  isDisabled = false,
  name,
  label,
  className,
}: Props<Row>) {
  const styles = useStyles();
  const t = useWords(listWords);
  const [typed, setTyped] = useState<string | null>(null);
  const [isOpen, setOpen] = useState(false);
  const search = useDebounced(typed?.trim() ?? '', SEARCH_AFTER_MS);
  const query = { ...records.query, page: 1, limit: SHOWN, ...(search ? { search } : {}) };
  const found = useQuery({ ...listQuery(records.list, [...records.queryKey, 'choices'], query), enabled: isOpen });
  const chosen = useQuery(recordQuery(records, value)).data;
  const rows = found.data?.rows ?? [];
  const isBehind = typed !== null && (search !== typed.trim() || found.isPlaceholderData);
  const more = (found.data?.pagination.totalData ?? 0) - rows.length;
  return (
    <Combobox
      className={mergeClasses(styles.root, className)}
      listbox={{ className: styles.list }}
      {...(label ? { 'aria-label': label } : {})}
      {...(name ? { name } : {})}
      placeholder={placeholder ?? t.search}
      disabled={isDisabled}
      clearable
      autoComplete="off"
      value={typed ?? (chosen ? records.nameOf(chosen) : '')}
      selectedOptions={value ? [value] : []}
      onChange={(event) => setTyped(event.target.value)}
      onKeyDownCapture={(event) => {
        if (isBehind && takesAnother(event)) holdBack(event);
      }}
      onOpenChange={(_event, { open }) => {
        setOpen(open);
        if (!open) setTyped(null);
      }}
      onOptionSelect={(event, { optionValue }) => {
        if (optionValue === undefined && isTyped(event)) return;
        setTyped(null);
        onPick(
          optionValue ?? '',
          rows.find((row) => records.keyOf(row) === optionValue),
        );
      }}
    >
      {rows.map((row) => (
        <Option key={records.keyOf(row)} value={records.keyOf(row)} text={records.nameOf(row)}>
          {records.nameOf(row)}
        </Option>
      ))}
      {found.isLoadingError && (
        <Option disabled value="" text="">
          {messageOf(found.error)}
        </Option>
      )}
      {found.isSuccess && rows.length === 0 && (
        <Option disabled value="" text="">
          {t.nothingFound}
        </Option>
      )}
      {more > 0 && (
        <Option disabled value="" text="">
          {t.typeToFind(more)}
        </Option>
      )}
    </Combobox>
  );
}

/**
 * Whether a key would choose an option whose name does not contain what was typed. Until the search
 * has its answer, the highlighted option may be such a one.
 */
function takesAnother({ key, currentTarget }: KeyboardEvent<HTMLInputElement>): boolean {
  if (key !== 'Enter' && key !== 'Tab') return false;
  const active = document.getElementById(currentTarget.getAttribute('aria-activedescendant') ?? '');
  return !active?.textContent.toLowerCase().includes(currentTarget.value.trim().toLowerCase());
}

/** Tab goes on to the next field all the same. */
function holdBack(event: KeyboardEvent): void {
  event.stopPropagation();
  if (event.key === 'Enter') event.preventDefault();
}

/**
 * Whether a text was typed. Fluent takes the record out at the first key that does not fit its
 * name, but a text is a search, and only an emptied field means none.
 */
function isTyped({ type, target }: SyntheticEvent): boolean {
  return type === 'change' && target instanceof HTMLInputElement && target.value !== '';
}
