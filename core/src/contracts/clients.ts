import { z } from 'zod';
import { companyDto } from './companies.ts';
import { endpoint } from './endpoint.ts';
import { emailAddress, id, newPassword, startVersion } from './fields.ts';
import { asList } from './list.ts';
import { planLimits, planUse } from './plan.ts';
import {
  abilities,
  optionalLine,
  optionalPhone,
  requiredEmail,
  requiredLine,
  stateFields,
  stateFilters,
} from './records.ts';

/** A customer of the provider (D6). Times are ISO 8601, UTC. */
export const clientDto = z.object({
  _id: z.string(),
  fname: z.string(),
  lname: z.string().nullable(),
  phone_number: z.string().nullable(),
  country: z.string().nullable(),
  personal_email: z.string(),
  /** The address of the company's administrator, by which that person logs in. */
  business_email: z.string(),
  /** Whether that person has to choose a password at the next login. */
  password_change_required: z.boolean(),
  /** The company that the client provisioned. */
  company_id: z.object({ _id: z.string(), name: z.string() }),
  /** The host's own client. It is never deleted. */
  is_default: z.boolean(),
  ...planLimits.shape,
  ...stateFields,
  /** Raised by each change; the form sends it back. */
  version: z.number().int(),
  abilities: abilities.extend({ send_credentials: z.boolean() }),
});
export type ClientDto = z.infer<typeof clientDto>;

/** A client with what it has on the host. */
export const clientDetailDto = clientDto.extend({
  company: companyDto.omit({ abilities: true, createdBy: true }),
  plan: planUse,
  /** Records that are not deleted. A client has one company. */
  counts: z.object({
    users: z.number().int(),
    roles: z.number().int(),
    domains: z.number().int(),
    companies: z.number().int(),
  }),
});
export type ClientDetailDto = z.infer<typeof clientDetailDto>;

const person = {
  fname: requiredLine('First name is required', 100),
  lname: optionalLine(100),
  phone_number: optionalPhone,
  country: optionalLine(100),
  personal_email: requiredEmail('Personal email is required'),
  active_status: z.boolean().optional(),
  ...planLimits.partial().shape,
};

/** What the form of a new client sends. */
export const newClientForm = z.object({
  company_name: requiredLine('Company name is required', 100),
  ...person,
  business_email: requiredEmail('Business email is required'),
  password: newPassword,
  password_change_required: z.boolean().optional(),
  /** The caller has seen that the domain looks like another one of the host, and wants it. */
  similar_domain_ok: z.boolean().optional(),
});

/** What the form of a client sends. */
export const clientForm = z.object({
  company_name: requiredLine('Company name is required', 100),
  ...person,
  /** The present one; another one is refused, since it is an address of the host. */
  business_email: z.string().trim().max(254).optional(),
  /** Whether the administrator of the company has to choose a password at the next login. */
  password_change_required: z.boolean().optional(),
});

const view = { model: 'clients', action: 'view' } as const;
const params = z.object({ id });

export const listClients = endpoint({
  method: 'GET',
  path: '/planbaseclient/get/all',
  summary: 'The clients, by first name unless told; searched by name and email',
  needs: view,
  ...asList({
    sort: ['fname', 'personal_email', 'business_email', 'createdAt'],
    defaultSort: 'fname',
    filters: stateFilters,
  }),
  answer: z.array(clientDto),
});

export const getClient = endpoint({
  method: 'GET',
  path: '/planbaseclient/get/:id',
  summary: 'One client with its company and what it has on the host',
  needs: view,
  params,
  answer: clientDetailDto,
});

export const createClient = endpoint({
  method: 'POST',
  path: '/planbaseclient/create',
  summary: 'Adds a client with its company, domain, roles and administrator (D6); for people of the provider',
  needs: { model: 'clients', action: 'create' },
  body: newClientForm,
  answer: clientDto,
});

export const updateClient = endpoint({
  method: 'PUT',
  path: '/planbaseclient/update/:id',
  summary: 'Changes a client; fields that are left out stay as they are. Limits are set by people of the provider',
  needs: { model: 'clients', action: 'edit' },
  params,
  body: clientForm.partial().extend({ version: startVersion }),
  answer: clientDto,
});

export const sendCredentials = endpoint({
  method: 'POST',
  path: '/planbaseclient/send-credentials/:id',
  summary: 'Mails the administrator of a client a link to set a password, good once within 24 hours',
  needs: { model: 'clients', action: 'create' },
  params,
  body: z.object({ email: emailAddress }),
  answer: z.undefined(),
});

export const removeClient = endpoint({
  method: 'DELETE',
  path: '/planbaseclient/delete/:id',
  summary: 'Deletes a client and its company until they are restored',
  needs: { model: 'clients', action: 'delete' },
  params,
  answer: clientDto,
});

export const restoreClient = endpoint({
  method: 'POST',
  path: '/planbaseclient/restore/:id',
  summary: 'Brings a deleted client and its company back as they were',
  needs: { model: 'clients', action: 'edit' },
  params,
  answer: clientDto,
});

export const eraseClient = endpoint({
  method: 'DELETE',
  path: '/planbaseclient/permanent-delete/:id',
  summary: 'Deletes a deleted client for good, with its company, people, domains and mail',
  needs: { model: 'clients', action: 'delete' },
  params,
  answer: z.undefined(),
});
