import { screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { show } from '../../test/render.tsx';
import { Pagination } from './Pagination.tsx';

function Pages({ total }: { total: number }) {
  const [page, goTo] = useState(1);
  const [limit, setLimit] = useState(10);
  const list = { page, limit, sizes: [10, 25], goTo, setLimit };
  return <Pagination list={list} total={total} totalPages={Math.ceil(total / limit)} />;
}

/** What a screen reader is told without being asked. */
const told = (): string =>
  [...document.querySelectorAll('nav [aria-live], nav [role=status]')].map(({ textContent }) => textContent).join(' ');

it('tells where the list stands after the person has moved in it, and not when a row comes or leaves', async () => {
  const { person, rerender } = show(<p>Before</p>);
  rerender(<Pages total={30} />);
  screen.getByText('1–10 of 30');
  expect(told()).toBe('');
  rerender(<Pages total={31} />);
  screen.getByText('1–10 of 31');
  expect(told()).toBe('');
  await person.click(screen.getByRole('button', { name: 'Next page' }));
  expect(told()).toBe('11–20 of 31');
  rerender(<Pages total={32} />);
  screen.getByText('11–20 of 32');
  expect(told()).toBe('');
  await person.selectOptions(screen.getByRole('combobox', { name: 'Rows per page' }), '25');
  expect(told()).toMatch(/^\d+–\d+ of 32$/);
});
