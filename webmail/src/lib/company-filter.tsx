import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import { getCompany } from '@selvage/core/contracts/companies';
import { can } from './can.ts';
import { companyRecords } from './companies.ts';
import { RecordPicker } from '../components/form/RecordPicker.tsx';
import type { FilterField } from '../components/list/ListToolbar.tsx';

/**
 * Narrows a list to one company, for people of the provider who may see companies. All others see
 * their own company alone, so they have no such filter.
 */
export function companyFilters(caller: CurrentUserDto | undefined, label: string): FilterField[] {
  if (caller?.company_id.is_provider !== true || !can(caller, getCompany)) return [];
  return [companyFilter(label)];
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
