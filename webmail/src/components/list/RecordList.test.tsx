import { Button } from '@fluentui/react-components';
import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { show } from '../../test/render.tsx';
import { RecordList, RecordRow } from './RecordList.tsx';

/** A list whose rows leave by their own buttons, a moment after the press. */
function Senders() {
  const [rows, setRows] = useState(['Ana', 'Ben']);
  const remove = (name: string): void => void setTimeout(() => setRows((old) => old.filter((one) => one !== name)), 20);
  return (
    <main>
      <h1 tabIndex={-1}>Blocked</h1>
      <RecordList
        label="Senders"
        rows={rows}
        error={null}
        empty="Nobody"
        onRetry={() => undefined}
        renderRow={(name) => (
          <RecordRow
            key={name}
            title={name}
            details={[]}
            actions={<Button onClick={() => remove(name)}>Unblock {name}</Button>}
          />
        )}
      />
    </main>
  );
}

it('gives the focus to the row in the place of one that leaves, and to the heading after the last', async () => {
  const { person } = show(<Senders />);
  await person.click(screen.getByRole('button', { name: 'Unblock Ana' }));
  await waitFor(() => expect(screen.queryByText('Ana')).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Unblock Ben' })));
  await person.keyboard('{Enter}');
  await screen.findByText('Nobody');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Blocked' })));
});
