import { waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { show } from '../../test/render.tsx';
import { PageIcon } from './PageIcon.tsx';

it('draws a page of mail at once, and one of the console when its drawings are there', async () => {
  const { container } = show(
    <>
      <PageIcon icon="inbox" isCurrent={false} />
      <PageIcon icon="users" isCurrent />
    </>,
  );
  const drawings = () => container.querySelectorAll('svg').length;
  expect(drawings()).toBe(1);
  await waitFor(() => expect(drawings()).toBe(2));
});
