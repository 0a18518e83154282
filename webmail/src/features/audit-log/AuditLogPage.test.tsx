import type { AuditEventDto } from '@selvage/core/contracts/audit-log';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { serveList } from '../../test/list-server.ts';
import { logInAs } from '../../test/log-in-as.ts';
import { show } from '../../test/render.tsx';
import AuditLogPage from './AuditLogPage.tsx';

const event: AuditEventDto = {
  _id: '1',
  action: 'company:updated',
  entity: 'company',
  entity_id: '3',
  record: { name: 'Mill', email: '' },
  company_id: { _id: '3', name: 'Mill' },
  actor: { _id: '7', name: 'Ana Test', email: 'ana@mill.test', is_erased: false },
  details: null,
  address: '203.0.113.9',
  createdAt: '2026-11-01T08:00:00.000Z',
};

/** Answers the list of the page with these events, and who calls. */
function serveEvents(events: AuditEventDto[]): void {
  serveList(() => events);
  logInAs({ permissions: [], company_id: event.company_id });
}

const rowOf = async (text: string) => within((await screen.findByText(text)).closest('tr') ?? document.body);

it('says which record an event is about', async () => {
  const ben = { name: 'Ben Bale', email: 'ben@mill.test' };
  serveEvents([
    { ...event, action: 'user:updated', entity: 'user', record: ben, details: { email: ben.email, fields: ['bio'] } },
    { ...event, _id: '2', action: 'role:deleted', entity: 'role', record: { name: 'Weavers', email: '' } },
    { ...event, _id: '3', action: 'user:deleted', entity: 'user', record: null },
  ]);
  show(<AuditLogPage />);
  const row = await rowOf('Ben Bale');
  expect([row.getByText('ben@mill.test'), row.getByText('fields: bio')]).toHaveLength(2);
  expect((await rowOf('Weavers')).getByText('ana@mill.test')).toBeTruthy();
  expect(screen.getByText('A person who is no longer here')).toBeTruthy();
  expect(screen.getByRole('columnheader', { name: 'About' })).toBeTruthy();
});

it('names the person of an event, also one that was permanently deleted', async () => {
  const erased = (email: string) => ({ _id: '8', name: email, email, is_erased: true });
  serveEvents([
    event,
    { ...event, _id: '2', actor: erased('ben@mill.test') },
    { ...event, _id: '3', actor: erased('') },
  ]);
  show(<AuditLogPage />);
  expect((await rowOf('Ana Test')).getByText('ana@mill.test')).toBeTruthy();
  expect((await rowOf('Ana Test')).queryByText('Permanently deleted')).toBeNull();
  expect((await rowOf('ben@mill.test')).getByText('Permanently deleted')).toBeTruthy();
  expect((await rowOf('A person who is no longer here')).getByText('Permanently deleted')).toBeTruthy();
});
