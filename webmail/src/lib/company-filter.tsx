import { companyRecords } from './companies.ts';
import { RecordPicker } from '../components/form/RecordPicker.tsx';
import type { FilterField } from '../components/list/ListToolbar.tsx';

/** Narrows a list to one company. For people of the provider: all others see their own alone. */
export function companyFilter(label: string): FilterField {
  return {
    name: 'company_id',
    label,
    renderPicker: ({ value, onPick, className }) => (
      <RecordPicker
        records={companyRecords}
        label={label}
        placeholder={label}
        value={value}
        onPick={onPick}
        className={className}
      />
    ),
  };
}
