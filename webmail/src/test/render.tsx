import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, configure, render, type RenderResult } from '@testing-library/react';
import { type UserEvent, userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { type Location, MemoryRouter } from 'react-router-dom';
import { afterAll, afterEach } from 'vitest';
import { Toasts } from '../components/feedback/Toasts.tsx';
import { endFocusManager } from '../hooks/use-lasting-focus-manager.tsx';

afterEach(cleanup);
afterAll(() => act(endFocusManager));
// The simulated browser has no media queries. None matches, as on a wide screen
window.matchMedia ??= (media) =>
  Object.assign(new EventTarget(), { media, matches: false, onchange: null }) as unknown as MediaQueryList;
// The simulated browser has no layout either. When no element has a position, Fluent finds nothing
// focusable in a dialog. It then focuses the dialog itself, and may leave it hidden from screen
// readers
Object.defineProperty(HTMLElement.prototype, 'offsetParent', {
  get(this: HTMLElement) {
    return this.closest('[role=dialog], [role=alertdialog]') && this.parentElement;
  },
});
document.body.getBoundingClientRect = () => new DOMRect(0, 0, 1280, 800);
// The machine may be slow because it is busy with other tests
configure({ asyncUtilTimeout: 30_000 });

interface Shown extends RenderResult {
  /** Types and clicks as a person does. */
  person: UserEvent;
  client: QueryClient;
}

/**
 * Renders a part of the app inside the router, the query cache and the toasts, as every screen has
 * them.
 */
export function show(part: ReactNode, path: string | Partial<Location> = '/'): Shown {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const result = render(
    <QueryClientProvider client={client}>
      <MemoryRouter initialEntries={[path]}>
        {part}
        <Toasts />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return { ...result, person: userEvent.setup(), client };
}

/** A promise that the test settles itself, so that it can check what is shown until then. */
export function pending<T>() {
  return Promise.withResolvers<T>();
}
