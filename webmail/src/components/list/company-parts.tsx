import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import { isOfProvider } from '../../lib/can.ts';
import { companyRecords, hasCompanyChoice } from '../../lib/companies.ts';
import { wordsOf } from '../../lib/i18n.ts';
import { recordWords } from '../../words/records.ts';
import { RecordPicker } from '../form/RecordPicker.tsx';
import type { Column } from './columns.ts';
import type { FilterField } from './ListToolbar.tsx';

/** Narrows a list to one company, for people who may choose among companies. */
export function companyFilters(caller: CurrentUserDto | undefined, label: string): FilterField[] {
  return hasCompanyChoice(caller) ? [companyFilter(label)] : [];
}

function companyFilter(label: string): FilterField {
  return {
    name: 'company_id',
    label,
    renderPicker: ({ value, onPick, className }) => (
      <RecordPicker
        records={companyRecords}
        label={label}
        placeholder={label}
        value={value}
        onPick={(id) => onPick(id)}
        className={className}
      />
    ),
  };
}

/** The company of a record, for people of the provider. All others see records of one alone. */
export function companyColumns<Row extends { company_id: { name: string } | null }>(
  caller: CurrentUserDto | undefined,
  title: string,
): Column<Row>[] {
  if (!isOfProvider(caller)) return [];
  const { nothing } = wordsOf(recordWords);
  return [
    {
      id: 'company',
      title,
      cell: ({ company_id: company }) => company?.name ?? nothing,
      text: ({ company_id: company }) => company?.name ?? '',
      width: '16%',
    },
  ];
}
