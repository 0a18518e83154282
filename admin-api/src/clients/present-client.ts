import { holdsPermission } from '@selvage/core/access/effective-permissions';
import type { ClientDto } from '@selvage/core/contracts/clients';
import type { Client } from '@selvage/core/models/client';
import type { Company } from '@selvage/core/models/company';
import { User } from '@selvage/core/models/user';
import { presentLimits } from '../companies/form-limits.ts';
import { abilitiesOf } from '../http/record-state.ts';
import type { SignedIn } from '../http/request-context.ts';

/** A client as the console shows it. */
export async function presentClient(ctx: SignedIn, client: Client, company: Company): Promise<ClientDto> {
  const [shown] = await presentClients(ctx, [{ client, company }]);
  if (!shown) throw new Error(`client ${client.id} was not presented`);
  return shown;
}

/** Clients as the console shows them, in the same order. */
export async function presentClients(
  ctx: SignedIn,
  clients: readonly { client: Client; company: Company }[],
): Promise<ClientDto[]> {
  const accounts = await accountsToChange(ctx, clients);
  return clients.map(({ client, company }) => ({
    _id: String(client.id),
    fname: client.fname,
    lname: client.lname ?? null,
    phone_number: client.phoneNumber ?? null,
    country: client.country ?? null,
    personal_email: client.personalEmail,
    business_email: client.businessEmail,
    password_change_required: accounts.has(accountOf(client)),
    company_id: { _id: String(company.id), name: company.name },
    is_default: Boolean(client.isDefault),
    ...presentLimits(company),
    active_status: Boolean(client.activeStatus ?? true),
    deletedAt: client.deletedAt?.toISOString() ?? null,
    createdAt: client.createdAt.toISOString(),
    updatedAt: client.updatedAt.toISOString(),
    version: client.version ?? 1,
    abilities: abilitiesTo(ctx, client),
  }));
}

/** Of the administrators' accounts of these clients, those whose password must be changed. */
async function accountsToChange(ctx: SignedIn, clients: readonly { client: Client }[]): Promise<ReadonlySet<string>> {
  const users = await User.findAll({
    attributes: ['companyId', 'email'],
    where: {
      companyId: clients.map(({ client }) => client.companyId),
      email: clients.map(({ client }) => client.businessEmail),
      passwordChangeRequired: true,
      erasedAt: null,
    },
    ...(ctx.tx && { transaction: ctx.tx }),
  });
  return new Set(users.map(({ companyId, email }) => accountOf({ companyId, businessEmail: email })));
}

/** The address may belong to a person of another company by now. */
function accountOf({ companyId, businessEmail }: Pick<Client, 'companyId' | 'businessEmail'>): string {
  return `${companyId} ${businessEmail}`;
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
