import {
  type ComparedRecord,
  type DomainDetailDto,
  type DomainRecordDto,
  removeDomain,
} from '@selvage/core/contracts/domains';
import { makeStyles, Text, tokens } from '@fluentui/react-components';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DeleteDialog } from '../../components/dialog/DeleteDialog.tsx';
import { FormDialog } from '../../components/dialog/FormDialog.tsx';
import { notify } from '../../components/feedback/notify.ts';
import { Form } from '../../components/form/Form.tsx';
import { SubmitButton } from '../../components/form/SubmitButton.tsx';
import type { Column, RowAction } from '../../components/list/columns.ts';
import { DataTable } from '../../components/list/DataTable.tsx';
import { Section } from '../../components/page/Section.tsx';
import { api } from '../../lib/api.ts';
import { useWords, wordsOf } from '../../lib/i18n.ts';
import { dnsRecordWords } from '../../words/dns-records.ts';
import { domainGuardWords } from '../../words/domain-guard.ts';
import { formWords } from '../../words/forms.ts';
import { recordWords } from '../../words/records.ts';
import { InDns } from './InDns.tsx';
import { comparedQuery, useShowDomain } from './queries.ts';
import { RecordFields, useRecordForm } from './record-form.tsx';

const useStyles = makeStyles({
  quiet: { color: tokens.colorNeutralForeground2 },
  send: { display: 'flex' },
});

type Open = { kind: 'edit' | 'delete'; record: DomainRecordDto } | null;

/** What a record is called: its own name, or what it is in the DNS. */
const nameOf = ({ record_name, type, name }: DomainRecordDto): string => record_name || `${type} ${name}`;

/** The records that are kept for a domain, and the form that adds one. */
export function RecordsTab({ domain }: { domain: DomainDetailDto }) {
  const styles = useStyles();
  const t = useWords(dnsRecordWords);
  const [open, setOpen] = useState<Open>(null);
  const close = (): void => setOpen(null);
  const { abilities, dns_records: records } = domain;
  const { data: compared } = useQuery(comparedQuery(domain));
  return (
    <>
      {abilities.edit && <AddRecord domain={domain} />}
      <Section title={t.records}>
        {records.length === 0 ? (
          <Text className={styles.quiet}>{t.none}</Text>
        ) : (
          <DataTable
            label={t.records}
            columns={columns(compared ?? [])}
            rows={records}
            keyOf={({ _id }) => _id}
            nameOf={nameOf}
            {...(abilities.edit || abilities.delete
              ? { actionsOf: (record: DomainRecordDto) => actionsOf(domain, record, setOpen) }
              : {})}
          />
        )}
      </Section>
      {open?.kind === 'edit' && <EditRecordDialog domain={domain} record={open.record} onClose={close} />}
      {open?.kind === 'delete' && <DeleteRecordDialog domainId={domain._id} record={open.record} onClose={close} />}
    </>
  );
}

function columns(compared: readonly ComparedRecord[]): Column<DomainRecordDto>[] {
  const t = wordsOf(dnsRecordWords);
  const { nothing } = wordsOf(recordWords);
  return [
    { id: 'record_name', title: t.customName, cell: ({ record_name }) => record_name || nothing, width: '20%' },
    { id: 'type', title: t.type, cell: ({ type }) => type, width: '84px' },
    { id: 'name', title: t.name, cell: ({ name }) => name, width: '18%' },
    {
      id: 'priority',
      title: t.priority,
      cell: ({ type, priority }) => (type === 'MX' ? priority : nothing),
      width: '84px',
    },
    { id: 'content', title: t.content, cell: ({ content }) => content },
    { id: 'ttl', title: t.ttl, cell: ({ ttl }) => ttl, width: '84px' },
    {
      id: 'dns',
      title: wordsOf(domainGuardWords).inDns,
      cell: ({ _id }) => <InDns record={compared.find((one) => one._id === _id)} />,
      width: '150px',
    },
  ];
}

function actionsOf({ abilities }: DomainDetailDto, record: DomainRecordDto, onOpen: (open: Open) => void): RowAction[] {
  const t = wordsOf(recordWords);
  const edit: RowAction = { label: t.edit, run: () => onOpen({ kind: 'edit', record }) };
  const remove: RowAction = { label: t.delete, run: () => onOpen({ kind: 'delete', record }), isDangerous: true };
  return [...(abilities.edit ? [edit] : []), ...(abilities.delete ? [remove] : [])];
}

function AddRecord({ domain }: { domain: DomainDetailDto }) {
  const styles = useStyles();
  const t = useWords(dnsRecordWords);
  const form = useRecordForm({ domain, onDone: () => notify.success(t.added) });
  return (
    <Section title={t.addTitle} hint={t.addHint}>
      <Form form={form} label={t.addTitle}>
        <RecordFields form={form} />
        <div className={styles.send}>
          <SubmitButton label={t.addButton} busyLabel={t.adding} isBusy={form.isPending} />
        </div>
      </Form>
    </Section>
  );
}

interface DialogProps {
  domainId: string;
  record: DomainRecordDto;
  onClose: () => void;
}

function EditRecordDialog({ domain, record, onClose }: Omit<DialogProps, 'domainId'> & { domain: DomainDetailDto }) {
  const t = useWords(dnsRecordWords);
  const { save, saving } = useWords(formWords);
  const form = useRecordForm({
    domain,
    record,
    onDone: () => {
      notify.success(t.changed);
      onClose();
    },
  });
  return (
    <FormDialog form={form} title={t.editTitle} submitLabel={save} busyLabel={saving} onClose={onClose}>
      <RecordFields form={form} />
    </FormDialog>
  );
}

function DeleteRecordDialog({ domainId, record, onClose }: DialogProps) {
  const t = useWords(dnsRecordWords);
  const show = useShowDomain();
  const remove = async (): Promise<void> => {
    await show(await api(removeDomain, { params: { id: domainId }, query: { dns_id: record._id }, body: {} }));
    notify.success(t.deleted);
  };
  const text = t.deleteText({ name: nameOf(record) });
  return <DeleteDialog title={t.deleteTitle} text={text} onDelete={remove} onClose={onClose} />;
}
