import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { show } from '../../test/render.tsx';
import { OpenFrame } from './OpenFrame.tsx';

function Mail({ hasCome }: { hasCome: boolean }) {
  return (
    <>
      <button type="button">Open</button>
      <div role="dialog" aria-label="New Message" data-beside>
        <input aria-label="To" />
      </div>
      {hasCome && (
        <OpenFrame subject="Looms" bar={null}>
          The text
        </OpenFrame>
      )}
    </>
  );
}

it('gives the subject the focus when the message comes', async () => {
  const { person, rerender } = show(<p>Before</p>);
  rerender(<Mail hasCome={false} />);
  await person.click(screen.getByRole('button', { name: 'Open' }));
  rerender(<Mail hasCome />);
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Looms' }));
});

it('leaves it to a window in which a person writes when the message comes late', async () => {
  const { person, rerender } = show(<p>Before</p>);
  rerender(<Mail hasCome={false} />);
  await person.type(screen.getByRole('textbox', { name: 'To' }), 'pri');
  rerender(<Mail hasCome />);
  await person.keyboard('ya');
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'To' }).value).toBe('priya');
});

it('has the focus on the subject when the button that shows all of it has gone', async () => {
  const { person } = show(
    <OpenFrame subject={'Looms and wool '.repeat(40)} bar={null}>
      The text
    </OpenFrame>,
  );
  screen.getByRole('button', { name: 'Show the whole subject' }).focus();
  await person.keyboard('{Enter}');
  expect(screen.queryByRole('button')).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('heading'));
});
