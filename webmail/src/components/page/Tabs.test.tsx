import { screen } from '@testing-library/react';
import { Link, useLocation } from 'react-router-dom';
import { describe, expect, it, vi } from 'vitest';
import { wayBack } from '../../lib/origin.ts';
import { show } from '../../test/render.tsx';
import { Tabs } from './Tabs.tsx';

const prepare = vi.fn<() => void>();

function Address() {
  const place = useLocation();
  return (
    <>
      <Link to="/mill" state={{ from: '/dashboard/mills?page=3' }}>
        Third page
      </Link>
      <output aria-label="Address">{place.search}</output>
      <output aria-label="Way back">{wayBack(place)}</output>
    </>
  );
}

function open(path = '/mill') {
  return show(
    <>
      <Tabs
        label="Mill"
        parameter="tab"
        resets={['page']}
        tabs={[
          { name: 'looms', label: 'Looms' },
          { name: 'yarns', label: 'Yarns', prepare },
          { name: 'people', label: 'People' },
        ]}
      >
        {(name) => <p>All {name}</p>}
      </Tabs>
      <Address />
    </>,
    path,
  );
}

const address = (): string => screen.getByLabelText('Address').textContent;
const tab = (name: string): HTMLElement => screen.getByRole('tab', { name });
const shown = (): string => screen.getByRole('tabpanel').textContent;
const chosen = (): string => screen.getByRole('tab', { selected: true }).textContent;

describe('Tabs', () => {
  it('open the first one, and that of the address where it names one', () => {
    const { unmount } = open();
    expect([chosen(), shown()]).toEqual(['Looms', 'All looms']);
    unmount();
    open('/mill?tab=people');
    expect([chosen(), shown()]).toEqual(['People', 'All people']);
  });

  it('open the first one for an address that names none of them', () => {
    open('/mill?tab=sheep');
    expect(shown()).toBe('All looms');
  });

  it('open one by a press, which the address says from then on', async () => {
    const { person } = open('/mill?q=wool');
    await person.click(tab('Yarns'));
    expect(shown()).toBe('All yarns');
    expect(address()).toBe('?q=wool&tab=yarns');
  });

  it('leave behind what belongs to one tab', async () => {
    const { person } = open('/mill?tab=looms&page=4');
    await person.click(tab('Yarns'));
    expect(address()).toBe('?tab=yarns');
  });

  it('keep the way back to the list from which the record was opened', async () => {
    const { person } = open();
    await person.click(screen.getByRole('link'));
    await person.click(tab('Yarns'));
    expect(address()).toBe('?tab=yarns');
    expect(screen.getByLabelText('Way back').textContent).toBe('/dashboard/mills?page=3');
  });

  it('are walked by the arrow keys, Home and End, and are one stop of the Tab key', async () => {
    const { person } = open();
    await person.tab();
    expect(document.activeElement).toBe(tab('Looms'));
    await person.keyboard('{ArrowRight}');
    expect([document.activeElement, shown()]).toEqual([tab('Yarns'), 'All yarns']);
    await person.keyboard('{End}');
    expect([document.activeElement, shown()]).toEqual([tab('People'), 'All people']);
    await person.keyboard('{Home}');
    expect([document.activeElement, shown()]).toEqual([tab('Looms'), 'All looms']);
    await person.tab();
    expect(screen.queryAllByRole('tab')).not.toContain(document.activeElement);
  });

  it('name the panel by the open tab, and begin to fetch as a pointer comes near', async () => {
    const { person } = open();
    expect(screen.getByRole('tabpanel', { name: 'Looms' }).id).toBe(tab('Looms').getAttribute('aria-controls'));
    expect(prepare).not.toHaveBeenCalled();
    await person.hover(tab('Yarns'));
    expect(prepare).toHaveBeenCalled();
  });
});
