import { useSearchParams } from 'react-router-dom';
import type { FormValues } from '../../hooks/use-form.ts';
import { companyRecords, hasCompanyChoice } from '../../lib/companies.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import type { FieldProps } from './fields.tsx';
import { PickField } from './PickField.tsx';

/**
 * The id of the company that the form of a new record begins with: the one that the list is
 * narrowed to, or the person's own. Empty where the person has to choose it.
 */
export function useFirstCompany(): string {
  const user = useCurrentUser();
  const [search] = useSearchParams();
  return (hasCompanyChoice(user) ? search.get('company_id') : user?.company_id._id) ?? '';
}

type Props<V extends FormValues> = FieldProps<V, string> & {
  /** Told after the value is set, e.g. to clear what depends on it. */
  onPicked?: () => void;
};

/** The company of a new record. People who have no choice don't see it. */
export function CompanyField<V extends FormValues>(props: Props<V>) {
  if (!hasCompanyChoice(useCurrentUser())) return null;
  return <PickField {...props} records={companyRecords} isRequired />;
}
