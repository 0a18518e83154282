import type { CompanyDto } from '@selvage/core/contracts/companies';
import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { show } from '../../test/render.tsx';
import { CompanyDialog } from './CompanyDialog.tsx';

const abilities = { edit: true, switch: true, delete: true, restore: false, erase: false };
const company: CompanyDto = {
  _id: '5',
  name: 'Mills',
  email: 'office@mill.test',
  industry: null,
  phone: '9876543210',
  address: 'Ring Road',
  city: 'Surat',
  state: 'Gujarat',
  country: 'India',
  pin_code: '395002',
  is_provider: false,
  createdBy: null,
  active_status: true,
  version: 1,
  deletedAt: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  abilities,
};

it.each([
  ['who may edit it and not delete it', { delete: false, switch: true }, 1],
  ['of the company itself', { delete: false, switch: false }, 0],
])('has the switch of a company where the server lets it be used, for people %s', async (_who, can, switches) => {
  show(<CompanyDialog company={{ ...company, abilities: { ...abilities, ...can } }} onClose={vi.fn()} />);
  await screen.findByRole('textbox', { name: 'Company Name' });
  expect(screen.queryAllByRole('switch', { name: 'Active' })).toHaveLength(switches);
});
