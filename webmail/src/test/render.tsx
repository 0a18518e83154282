import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, configure, render, type RenderResult } from '@testing-library/react';
import { type UserEvent, userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach } from 'vitest';
import { Toasts } from '../components/feedback/Toasts.tsx';

afterEach(cleanup);
// the simulated browser has no media conditions: none holds, as on a wide screen
window.matchMedia ??= (media) =>
  Object.assign(new EventTarget(), { media, matches: false, onchange: null }) as unknown as MediaQueryList;
// Nor does it lay anything out. Where nothing has a place, Fluent finds nothing in a dialog that
// can have the focus, gives that to the dialog itself, and may leave it hidden from screen readers
Object.defineProperty(HTMLElement.prototype, 'offsetParent', {
  get(this: HTMLElement) {
    return this.closest('[role=dialog], [role=alertdialog]') && this.parentElement;
  },
});
document.body.getBoundingClientRect = () => new DOMRect(0, 0, 1280, 800);
// a machine that is busy with other tests is slow, not wrong
configure({ asyncUtilTimeout: 30_000 });

interface Shown extends RenderResult {
  /** Types and presses as a person does. */
  person: UserEvent;
  client: QueryClient;
}

/**
 * Renders a part of the app with what every screen has around it: the router, the query cache and
 * the toasts.
 */
export function show(part: ReactNode, path = '/'): Shown {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const result = render(
    <QueryClientProvider client={client}>
      <MemoryRouter initialEntries={[path]}>
        {part}
        {/* Fluent's focus manager lives as long as one of its users. Without a lasting one, it goes with a dialog and leaves the page hidden. */}
        <Toasts />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return { ...result, person: userEvent.setup(), client };
}

/** A promise that the test settles, to look at what is shown in between. */
export function pending<T>() {
  return Promise.withResolvers<T>();
}
