import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { type Navigator, Router, type To } from 'react-router-dom';
import { describe, expect, it, vi } from 'vitest';
import { useListState } from './use-list-state.ts';

const options = {
  name: 'wools',
  sizes: [10, 20],
  facts: { sort: ['name'], defaultSort: 'name', filters: ['colour', 'weight', 'yarn'] },
} as const;

/** A list whose page shows an address only when it is told to. */
function slowList() {
  const asked: string[] = [];
  let shown = '';
  const goTo = (to: To) => void asked.push(typeof to === 'string' ? to : (to.search ?? ''));
  const navigator: Navigator = { push: goTo, replace: goTo, go: () => undefined, createHref: String };
  const wrapper = ({ children }: { children: ReactNode }) => (
    <Router location={`/wools${shown}`} navigator={navigator}>
      {children}
    </Router>
  );
  const { result, rerender } = renderHook(() => useListState(options), { wrapper });
  return {
    asked,
    filter: (name: string, value: string) => act(() => result.current.setFilter(name, value)),
    type: (text: string) => act(() => result.current.setSearchText(text)),
    typed: () => result.current.searchText,
    show: (search: string) => {
      shown = search;
      rerender();
    },
  };
}

describe('the address of a list on a slow page', () => {
  it('has all changes, also one that is made while the page shows only the first', () => {
    const { asked, filter, show } = slowList();
    filter('colour', 'red');
    filter('weight', 'light');
    show('?colour=red');
    filter('yarn', 'fine');
    expect(asked.at(-1)).toBe('?colour=red&weight=light&yarn=fine');
  });

  it('begins with what the page shows once that is the latest', () => {
    const { asked, filter, show } = slowList();
    filter('colour', 'red');
    filter('weight', 'light');
    show('?colour=red&weight=light');
    show('?colour=red');
    filter('yarn', 'fine');
    expect(asked.at(-1)).toBe('?colour=red&yarn=fine');
  });

  it('begins with an address that the person went to by other means', () => {
    const { asked, filter, show } = slowList();
    filter('colour', 'red');
    filter('weight', 'light');
    show('?colour=blue');
    filter('yarn', 'fine');
    expect(asked.at(-1)).toBe('?colour=blue&yarn=fine');
  });
});

it('a change of the conditions keeps the way back to where the person came from', () => {
  const state = { from: '/dashboard/mills' };
  const states: unknown[] = [];
  const note = (_to: To, given: unknown) => void states.push(given);
  const navigator: Navigator = { push: note, replace: note, go: () => undefined, createHref: String };
  const wrapper = ({ children }: { children: ReactNode }) => (
    <Router location={{ pathname: '/wools', state }} navigator={navigator}>
      {children}
    </Router>
  );
  const { result } = renderHook(() => useListState(options), { wrapper });
  act(() => result.current.goTo(2));
  act(() => result.current.setFilter('colour', 'red', { replaces: true }));
  expect(states).toEqual([state, state]);
});

describe('the search text on a slow page', () => {
  it('keeps what is typed while the page follows an earlier search', () => {
    vi.useFakeTimers();
    const { asked, type, typed, show } = slowList();
    type('an');
    act(() => void vi.advanceTimersByTime(300));
    type('ana');
    act(() => void vi.advanceTimersByTime(300));
    type('anab');
    show('?search=an');
    expect(typed()).toBe('anab');
    show('?search=ana');
    expect(typed()).toBe('anab');
    act(() => void vi.advanceTimersByTime(300));
    expect(asked.at(-1)).toBe('?search=anab');
    show('?search=anab');
    show('?search=bo');
    expect(typed()).toBe('bo');
    vi.useRealTimers();
  });
});
