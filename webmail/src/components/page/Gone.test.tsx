import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { show } from '../../test/render.tsx';
import { Forbidden } from './Forbidden.tsx';
import { Gone } from './Gone.tsx';

it.each([
  ['a record that is gone', Gone, 'This is no longer here'],
  ['a page that the role does not open', Forbidden, 'You may not open this page'],
])('is a page with a heading for %s', (_name, Part, title) => {
  show(<Part />);
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(title);
});
