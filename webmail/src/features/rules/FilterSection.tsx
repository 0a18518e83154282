import {
  createFilter,
  type FilterDto,
  orderFilters,
  removeFilter,
  updateFilter,
} from '@selvage/core/contracts/mail-rules';
import { Badge, Button, Switch } from '@fluentui/react-components';
import { AddRegular } from '@fluentui/react-icons/svg/add';
import { ArrowDownRegular } from '@fluentui/react-icons/svg/arrow-down';
import { ArrowUpRegular } from '@fluentui/react-icons/svg/arrow-up';
import { DeleteRegular } from '@fluentui/react-icons/svg/delete';
import { EditRegular } from '@fluentui/react-icons/svg/edit';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DeleteDialog } from '../../components/dialog/DeleteDialog.tsx';
import { notify } from '../../components/feedback/notify.ts';
import { IconButton } from '../../components/IconButton.tsx';
import { RecordList, RecordRow } from '../../components/list/RecordList.tsx';
import { Section } from '../../components/page/Section.tsx';
import { api } from '../../lib/api.ts';
import { can } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { useWords } from '../../lib/i18n.ts';
import { mailRuleWords } from '../../words/mail-rules.ts';
import { pageWords } from '../../words/pages.ts';
import FilterDialog from './FilterDialog.tsx';
import { filtersQuery, labelsQuery, ownFoldersQuery } from './queries.ts';

type Asked = { kind: 'new' } | { kind: 'edit' | 'remove'; filter: FilterDto };

/** The person's filters in the order in which they work. */
export function FilterSection() {
  const t = useWords(mailRuleWords);
  const mayAdd = can(useCurrentUser(), createFilter);
  const { data, error, refetch } = useQuery(filtersQuery);
  const [asked, setAsked] = useState<Asked | null>(null);
  const { toggle, move, remove, isBusy } = useFilterChanges();
  const close = (): void => setAsked(null);
  return (
    <Section
      title={t.title}
      hint={t.hint}
      action={
        mayAdd && (
          <Button icon={<AddRegular />} onClick={() => setAsked({ kind: 'new' })}>
            {t.add}
          </Button>
        )
      }
    >
      <RecordList
        label={t.title}
        rows={data}
        error={error}
        empty={mayAdd ? t.none : t.noneOnly}
        onRetry={() => void refetch()}
        renderRow={(filter) => (
          <FilterRow
            key={filter._id}
            filter={filter}
            isFirst={filter === data?.[0]}
            isLast={filter === data?.at(-1)}
            isBusy={isBusy}
            onToggle={() => toggle(filter)}
            onMove={(by) => move(filter, by)}
            onAsk={(kind) => setAsked({ kind, filter })}
          />
        )}
      />
      {asked?.kind === 'new' && <FilterDialog onClose={close} />}
      {asked?.kind === 'edit' && <FilterDialog filter={asked.filter} onClose={close} />}
      {asked?.kind === 'remove' && (
        <DeleteDialog
          title={t.removeTitle({ name: asked.filter.name })}
          text={t.removeText}
          onDelete={() => remove(asked.filter)}
          onClose={close}
        />
      )}
    </Section>
  );
}

interface FilterChange {
  change: (filters: FilterDto[]) => FilterDto[];
  call: (changed: FilterDto[]) => Promise<unknown>;
}

const mutationKey = ['filter-change'];

/**
 * Changes that show at once and reach the server in their order. The list is read again after the
 * last of them.
 */
function useFilterChanges() {
  const t = useWords(mailRuleWords);
  const client = useQueryClient();
  const { queryKey } = filtersQuery;
  const { mutate, isPending } = useMutation({
    mutationKey,
    scope: { id: 'filter-change' },
    mutationFn: ({ call }: FilterChange) => call(client.getQueryData(queryKey) ?? []),
    onMutate: async ({ change }) => {
      await client.cancelQueries({ queryKey });
      client.setQueryData(queryKey, (filters) => filters && change(filters));
    },
    onError: notify.error,
    onSettled: async () => {
      // While another change waits, the server's list would show the filters without it
      if (client.isMutating({ mutationKey }) > 1) return;
      await client.invalidateQueries({ queryKey });
    },
  });
  return {
    isBusy: isPending,
    toggle: ({ _id: id, is_on: isOn }: FilterDto): void => {
      // The server raises the version as well, and a form that is opened at once starts from it
      const toggled = (one: FilterDto): FilterDto => ({ ...one, is_on: !isOn, version: one.version + 1 });
      mutate({
        change: (filters) => filters.map((one) => (one._id === id ? toggled(one) : one)),
        call: () => api(updateFilter, { params: { id }, body: { is_on: !isOn } }),
      });
    },
    move: ({ _id: id }: FilterDto, by: 1 | -1): void => {
      mutate({
        change: (filters) => {
          const index = filters.findIndex((one) => one._id === id);
          const next = filters.filter((one) => one._id !== id);
          next.splice(index + by, 0, ...filters.slice(index, index + 1));
          return next;
        },
        call: (changed) => api(orderFilters, { body: { filter_ids: changed.map(({ _id }) => _id) } }),
      });
    },
    remove: async ({ _id: id, name }: FilterDto): Promise<void> => {
      await api(removeFilter, { params: { id } });
      await client.invalidateQueries({ queryKey });
      notify.success(t.removed({ name }));
    },
  };
}

interface RowProps {
  filter: FilterDto;
  isFirst: boolean;
  isLast: boolean;
  isBusy: boolean;
  onToggle: () => void;
  onMove: (by: 1 | -1) => void;
  onAsk: (kind: 'edit' | 'remove') => void;
}

function FilterRow({ filter, onAsk, ...changes }: RowProps) {
  const t = useWords(mailRuleWords);
  const user = useCurrentUser();
  const { name, is_on: isOn } = filter;
  return (
    <RecordRow
      title={name}
      badge={!isOn && <Badge appearance="tint">{t.off}</Badge>}
      details={useDetails(filter)}
      actions={
        <>
          {can(user, updateFilter) && <FilterChanges filter={filter} {...changes} onEdit={() => onAsk('edit')} />}
          {can(user, removeFilter) && (
            <IconButton label={t.remove({ name })} icon={<DeleteRegular />} onClick={() => onAsk('remove')} />
          )}
        </>
      }
    />
  );
}

/** What can be changed about a filter, its place among the others included. */
function FilterChanges(props: Omit<RowProps, 'onAsk'> & { onEdit: () => void }) {
  const t = useWords(mailRuleWords);
  const { filter, isFirst, isLast, isBusy, onToggle, onMove, onEdit } = props;
  const { name, is_on: isOn } = filter;
  return (
    <>
      <Switch checked={isOn} aria-label={(isOn ? t.turnOff : t.turnOn)({ name })} onChange={onToggle} />
      <IconButton
        label={t.up({ name })}
        icon={<ArrowUpRegular />}
        disabledFocusable={isFirst || isBusy}
        onClick={() => !isFirst && !isBusy && onMove(-1)}
      />
      <IconButton
        label={t.down({ name })}
        icon={<ArrowDownRegular />}
        disabledFocusable={isLast || isBusy}
        onClick={() => !isLast && !isBusy && onMove(1)}
      />
      <IconButton label={t.edit({ name })} icon={<EditRegular />} onClick={onEdit} />
    </>
  );
}

/** What a filter looks for and does, in words. */
function useDetails({ conditions, actions }: FilterDto): string[] {
  const t = useWords(mailRuleWords);
  const pages = useWords(pageWords);
  const user = useCurrentUser();
  const { from, to, subject, list_id: list } = conditions;
  const conditionWords = [
    from && t.ifFrom({ text: from }),
    to && t.ifTo({ text: to }),
    subject && t.ifSubject({ text: subject }),
    list && t.ifList({ text: list }),
  ];
  const label = useLabelWord(actions.label);
  const folder = useFolderWord(actions.folder);
  const actionWords = [
    folder,
    actions.move_to && t.thenMove({ folder: pages[actions.move_to] }),
    label,
    actions.star && t.thenStar,
    actions.mark_read && t.thenRead,
    actions.forward && (user?.forward_confirmed ? t.thenForward : t.thenForwardNowhere),
    actions.stop && t.thenStop,
  ];
  return [...conditionWords, actionWords.filter(Boolean).join(', ')].filter((text): text is string => Boolean(text));
}

/**
 * Says to which of the person's own folders a filter moves messages; null when it moves none.
 */
function useFolderWord(id: string | undefined): string | null {
  const t = useWords(mailRuleWords);
  const { data: folders } = useQuery({ ...ownFoldersQuery, enabled: id !== undefined });
  if (id === undefined || !folders) return null;
  const folder = folders.find(({ _id }) => _id === id);
  return folder ? t.thenMove({ folder: folder.name }) : t.thenMoveGone;
}

/** Says which label a filter gives to messages; null when it gives none. */
function useLabelWord(id: string | undefined): string | null {
  const t = useWords(mailRuleWords);
  const { data: labels } = useQuery({ ...labelsQuery, enabled: id !== undefined });
  if (id === undefined || !labels) return null;
  const label = labels.find(({ _id }) => _id === id);
  return label ? t.thenLabel({ name: label.name }) : t.thenLabelGone;
}
