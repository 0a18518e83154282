import { holdsPermission } from '@selvage/core/access/effective-permissions';
import type { ClientDto } from '@selvage/core/contracts/clients';
import type { Client } from '@selvage/core/models/client';
import type { Company } from '@selvage/core/models/company';
import { presentLimits } from '../companies/form-limits.ts';
import { abilitiesOf } from '../http/record-state.ts';
import type { SignedIn } from '../http/request-context.ts';

/** A client as the console shows it. */
export function presentClient(ctx: SignedIn, client: Client, company: Company): ClientDto {
  return {
    _id: String(client.id),
    fname: client.fname,
    lname: client.lname ?? null,
    phone_number: client.phoneNumber ?? null,
    country: client.country ?? null,
    personal_email: client.personalEmail,
    business_email: client.businessEmail,
    company_id: { _id: String(company.id), name: company.name },
    is_default: Boolean(client.isDefault),
    ...presentLimits(company),
    active_status: Boolean(client.activeStatus ?? true),
    deletedAt: client.deletedAt?.toISOString() ?? null,
    createdAt: client.createdAt.toISOString(),
    updatedAt: client.updatedAt.toISOString(),
    version: client.version ?? 1,
    abilities: abilitiesTo(ctx, client),
  };
}

/** The host's own client can't be deleted. It is changed in the account of its administrator. */
function abilitiesTo(ctx: SignedIn, client: Client): ClientDto['abilities'] {
  if (client.isDefault) {
    return { edit: false, delete: false, restore: false, erase: false, send_credentials: false };
  }
  const usual = abilitiesOf(ctx, 'clients', { deletedAt: client.deletedAt ?? null });
  const maySend = holdsPermission(ctx.actor.permissions, 'clients', 'create') && !client.deletedAt;
  return { ...usual, send_credentials: maySend };
}
