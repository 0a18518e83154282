import { screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { show } from '../../test/render.tsx';
import PreviewDialog from './PreviewDialog.tsx';
import SourceDialog from './SourceDialog.tsx';

afterEach(() => {
  vi.unstubAllGlobals();
});

const file = {
  _id: '1',
  file_path: '/files/plan',
  original_name: 'plan.pdf',
  contentType: 'application/pdf',
  file_type: 'pdf',
  size: 9_000_000,
  showData: true,
};
const windows = {
  'a file': <PreviewDialog attachment={file} onClose={() => undefined} />,
  'the source of a message': (
    <SourceDialog email={{ _id: '1', source_path: '/files/source' } as never} onClose={() => undefined} />
  ),
};

it.each(Object.entries(windows))('stops loading %s when its window closes', async (_name, part) => {
  const signals: (AbortSignal | null | undefined)[] = [];
  vi.stubGlobal('fetch', (_url: string, init?: RequestInit) => {
    signals.push(init?.signal);
    return new Promise<Response>(() => undefined);
  });
  const { unmount } = show(part);
  await vi.waitUntil(() => signals.length > 0, { timeout: 30_000 });
  unmount();
  await vi.waitUntil(() => signals[0]?.aborted === true, { timeout: 3_000 });
  expect(signals).toHaveLength(1);
});

it('offers another try when the file could not be fetched', async () => {
  const answers = [new Response('', { status: 500 }), new Response('Of wool')];
  vi.stubGlobal('fetch', async () => answers.shift());
  const text = { ...file, original_name: 'plan.txt', contentType: 'text/plain', file_type: 'txt' };
  const { person } = show(<PreviewDialog attachment={text} onClose={() => undefined} />);
  await person.click(await screen.findByRole('button', { name: 'Retry' }));
  await screen.findByText('Of wool');
  expect(screen.queryByRole('alert')).toBeNull();
});
