import { getCompany } from '@selvage/core/contracts/companies';
import { can } from '../lib/can.ts';
import { useCurrentUser } from '../lib/current-user.ts';
import { TextLink } from './TextLink.tsx';

/** The name of a company, which leads to its page for a person who may open that. */
export function CompanyName({ company: { _id, name } }: { company: { _id: string; name: string } }) {
  const mayOpen = can(useCurrentUser(), getCompany);
  if (!mayOpen) return <span dir="auto">{name}</span>;
  return (
    <TextLink to={`/dashboard/company/${_id}`} dir="auto">
      {name}
    </TextLink>
  );
}
