import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { id, oneLine, startVersion } from './fields.ts';
import { asList } from './list.ts';
import { planLimits, planUse } from './plan.ts';
import { abilities, optionalLine, requiredEmail, requiredLine, stateFields, stateFilters } from './records.ts';

/** A company as the console shows it. Times are ISO 8601, UTC. */
export const companyDto = z.object({
  _id: z.string(),
  name: z.string(),
  email: z.string(),
  industry: z.string().nullable(),
  phone: z.string().nullable(),
  address: z.string().nullable(),
  city: z.string().nullable(),
  state: z.string().nullable(),
  country: z.string().nullable(),
  pin_code: z.string().nullable(),
  /** The host itself. It is never deleted. */
  is_provider: z.boolean(),
  /** The person that added it; null when that is not known. */
  createdBy: z.object({ fname: z.string(), lname: z.string(), email: z.string() }).nullable(),
  ...planLimits.shape,
  ...stateFields,
  /** Raised by each change; the form sends it back. */
  version: z.number().int(),
  /** To switch it on and off needs no more than to edit it, but the host itself stays on. */
  abilities: abilities.extend({ switch: z.boolean() }),
});
export type CompanyDto = z.infer<typeof companyDto>;

/** A company with what it has of its plan. */
export const companyDetailDto = companyDto.extend({ plan: planUse });
export type CompanyDetailDto = z.infer<typeof companyDetailDto>;

/** What the form of a company sends. */
export const companyForm = z.object({
  name: z
    .string({ error: 'Company name must be at least 2 characters long' })
    .trim()
    .min(2, 'Company name must be at least 2 characters long')
    .max(100, 'Maximum 100 characters allowed')
    .refine(...oneLine),
  email: requiredEmail('Invalid email'),
  industry: optionalLine(100),
  phone: z
    .string({ error: 'Phone is required' })
    .trim()
    .regex(/^[1-9]\d{9}$/, 'Phone number must be 10 digits'),
  address: requiredLine('Address is required', 500),
  city: requiredLine('City is required', 100),
  state: requiredLine('State is required', 100),
  country: requiredLine('Country is required', 100),
  pin_code: z
    .string({ error: 'Pin Code must be 6 digits' })
    .trim()
    .regex(/^[1-9]\d{5}$/, 'Pin Code must be 6 digits'),
  active_status: z.boolean().optional(),
  ...planLimits.partial().shape,
});

/** The fields that the setup of a new company asks for, with the messages of its form. */
export const companySetUpForm = companyForm
  .pick({ phone: true, address: true, city: true, state: true, country: true })
  .extend({
    industry: requiredLine('Industry is required', 100),
    pin_code: z
      .string({ error: 'Invalid pincode' })
      .trim()
      .regex(/^[1-9]\d{5}$/, 'Invalid pincode'),
  });

const view = { model: 'company', action: 'view' } as const;
const params = z.object({ id });

export const listCompanies = endpoint({
  method: 'GET',
  path: '/company/get/all',
  summary: 'The companies, by name unless told; searched by name, email, industry and city',
  needs: view,
  ...asList({ sort: ['name', 'email', 'industry', 'createdAt'], defaultSort: 'name', filters: stateFilters }),
  answer: z.array(companyDto),
});

export const listAllCompanies = endpoint({
  method: 'GET',
  path: '/company/get/all/without_filter',
  summary: 'Id and name of every company that is not deleted, by name',
  needs: view,
  answer: z.array(companyDto.pick({ _id: true, name: true, email: true })),
});

export const getCompany = endpoint({
  method: 'GET',
  path: '/company/get/:id',
  summary: 'One company, deleted or not, with what it has of its plan',
  needs: view,
  params,
  answer: companyDetailDto,
});

export const createCompany = endpoint({
  method: 'POST',
  path: '/company/create',
  summary: 'Adds a company with its built-in roles; for people of the provider',
  needs: { model: 'company', action: 'create' },
  body: companyForm,
  answer: companyDto,
});

export const updateCompany = endpoint({
  method: 'PUT',
  path: '/company/update/:id',
  summary: 'Changes a company; fields that are left out stay as they are. Limits are set by people of the provider',
  needs: { model: 'company', action: 'edit' },
  params,
  body: companyForm.partial().extend({ version: startVersion }),
  answer: companyDto,
});

export const removeCompany = endpoint({
  method: 'DELETE',
  path: '/company/delete/:id',
  summary: 'Deletes a company until it is restored: its people are logged out, mail for them is refused',
  needs: { model: 'company', action: 'delete' },
  params,
  answer: companyDto,
});

export const restoreCompany = endpoint({
  method: 'PATCH',
  path: '/company/restore/:id',
  summary: 'Brings a deleted company back as it was',
  needs: { model: 'company', action: 'edit' },
  params,
  answer: companyDto,
});

export const eraseCompany = endpoint({
  method: 'DELETE',
  path: '/company/permanent-delete/:id',
  summary: 'Deletes a deleted company for good, with its people, domains and mail',
  needs: { model: 'company', action: 'delete' },
  params,
  answer: z.undefined(),
});
