import { screen } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { UNSAFE_LocationContext as LocationContext, NavigationType, useLocation, useNavigate } from 'react-router-dom';
import { expect, it, vi } from 'vitest';
import { storeTokens } from '../../../lib/session.ts';
import { show } from '../../../test/render.tsx';
import SearchBox from './SearchBox.tsx';

/** A page that is slow to follow the router: it has a new address once a button is pressed. */
function SlowPage({ children }: { children: ReactNode }) {
  const latest = useLocation();
  const navigate = useNavigate();
  const [location, setLocation] = useState(latest);
  return (
    <>
      <LocationContext value={{ location, navigationType: NavigationType.Push }}>{children}</LocationContext>
      <button onClick={() => setLocation(latest)}>Follow</button>
      <button onClick={() => void navigate(-1)}>Back</button>
      <button onClick={() => void navigate(1)}>Forward</button>
    </>
  );
}

function showBox() {
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
  const user = { _id: '7', permissions: [] };
  vi.stubGlobal('fetch', async () => Response.json({ success: true, message: '', data: user }));
  return show(
    <SlowPage>
      <SearchBox />
    </SlowPage>,
    '/dashboard/search?q=wool',
  ).person;
}

const box = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Search mail' });
const button = (name: string) => screen.getByRole('button', { name });

it('keeps what is typed while the page is slow to follow the search before', async () => {
  const person = showBox();
  await person.clear(box());
  await person.type(box(), 'looms{Enter}');
  await person.clear(box());
  await person.type(box(), 'silk');
  await person.click(button('Follow'));
  expect(box().value).toBe('silk');
});

it('shows what the address asks for when the person goes back and forward', async () => {
  const person = showBox();
  await person.clear(box());
  await person.type(box(), 'looms{Enter}');
  await person.click(button('Follow'));
  for (const [name, text] of [
    ['Back', 'wool'],
    ['Forward', 'looms'],
  ] as const) {
    await person.click(button(name));
    await person.click(button('Follow'));
    expect(box().value).toBe(text);
  }
});
