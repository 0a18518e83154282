import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { FilterField, FilterPickerProps } from '../../components/list/ListToolbar.tsx';
import { PlainSelect } from '../../components/list/PlainSelect.tsx';
import { choicesQuery } from '../../lib/company-choices.ts';
import { useWords, wordsOf } from '../../lib/i18n.ts';
import { listWords } from '../../words/lists.ts';
import { userWords } from '../../words/users.ts';

/**
 * Narrows the list to one role. A role belongs to a company, so people of the provider choose that
 * first.
 */
export function roleFilter(caller: CurrentUserDto | undefined): FilterField {
  const ownCompany = caller && !caller.company_id.is_provider ? caller.company_id._id : '';
  return {
    name: 'role_id',
    label: wordsOf(userWords).role,
    renderPicker: (props) => <RoleFilter key="role_id" {...props} ownCompany={ownCompany} />,
  };
}

function RoleFilter({ label, value, onPick, className, ownCompany }: FilterPickerProps & { ownCompany: string }) {
  const { all } = useWords(listWords);
  const [search] = useSearchParams();
  const companyId = ownCompany || (search.get('company_id') ?? '');
  const { data } = useQuery(choicesQuery(companyId));
  const isOfAnother = value !== '' && (companyId === '' || data?.roles.every(({ _id }) => _id !== value) === true);
  useEffect(() => {
    // The company was changed or cleared. The Back button must not meet the role again
    if (isOfAnother) onPick('', { replaces: true });
  });
  if (!data) return null;
  return (
    <PlainSelect className={className ?? ''} label={label} value={value} onChange={(next) => onPick(next)}>
      <option value="">{`${label}: ${all}`}</option>
      {data.roles.map(({ _id, role_name }) => (
        <option key={_id} value={_id}>
          {role_name}
        </option>
      ))}
    </PlainSelect>
  );
}
