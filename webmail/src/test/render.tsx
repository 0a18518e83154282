import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, type RenderResult } from '@testing-library/react';
import { type UserEvent, userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach } from 'vitest';

afterEach(cleanup);

interface Shown extends RenderResult {
  /** Types and presses as a person does. */
  person: UserEvent;
  client: QueryClient;
}

/** Renders a part of the app with what every screen has around it: the router and the query cache. */
export function show(part: ReactNode, path = '/'): Shown {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const result = render(
    <QueryClientProvider client={client}>
      <MemoryRouter initialEntries={[path]}>{part}</MemoryRouter>
    </QueryClientProvider>,
  );
  return { ...result, person: userEvent.setup(), client };
}

/** A promise that the test settles, to look at what is shown in between. */
export function pending<T>() {
  return Promise.withResolvers<T>();
}
