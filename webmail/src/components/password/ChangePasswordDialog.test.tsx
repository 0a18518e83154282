import { screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { addUnsavedWork, workLostByLeaving } from '../../lib/unsaved-work.ts';
import { show } from '../../test/render.tsx';
import ChangePasswordDialog from './ChangePasswordDialog.tsx';

let endOther: (() => void) | undefined;
afterEach(() => endOther?.());

it('its way out throws away what was typed unasked, and nothing else; Escape is none', async () => {
  endOther = addUnsavedWork({ name: 'the profile', survivesNavigation: false });
  const lostThen: string[][] = [];
  const run = (): void => void lostThen.push(workLostByLeaving().map(({ name }) => name));
  const { person } = show(
    <ChangePasswordDialog email="a@mill.test" reason="" exit={{ label: 'Cancel', run }} onChanged={async () => {}} />,
  );
  await person.type(screen.getByLabelText('Current password', { exact: false }), 'loom');
  expect(workLostByLeaving()).toHaveLength(2);
  await person.keyboard('{Escape}');
  expect(screen.queryByRole('alertdialog')).toBeNull();
  await person.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(lostThen).toEqual([['the profile']]);
});
