import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { Form } from '../components/form/Form.tsx';
import { TextAreaField } from '../components/form/TextAreaField.tsx';
import { useSubject } from '../lib/current-user.ts';
import { watchPerson } from '../lib/forget.ts';
import { endSession, storeTokens } from '../lib/session.ts';
import { unsavedWork } from '../lib/unsaved-work.ts';
import { show } from '../test/render.tsx';
import { useForm } from './use-form.ts';

function signIn(subject: string): void {
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: subject }))}.x`, refreshToken: 'x' });
}

beforeAll(watchPerson);
beforeEach(() => signIn('1'));
afterEach(() => endSession());

/** The versions with which the form was sent. */
let sent: (number | undefined)[] = [];

function ReplyForm({ subject = '', version }: { subject?: string; version?: number }) {
  const form = useForm({
    start: { subject, text: '', code: '' },
    submit: async (_values, started) => void sent.push(started),
    ...(version !== undefined && { version }),
    unsavedName: 'the reply',
    keepAs: { key: 'reply', name: 'the reply', except: ['code'] },
  });
  return (
    <Form form={form} label="Reply">
      <TextAreaField form={form} name="subject" label="Subject" />
      <TextAreaField form={form} name="text" label="Text" />
      <TextAreaField form={form} name="code" label="Code" />
    </Form>
  );
}

/** As the app does it: a page is there for the logged-in person alone. */
function Page(record: { subject?: string; version?: number }) {
  return useSubject() === null ? <p>Elsewhere</p> : <ReplyForm {...record} />;
}

const text = () => screen.getByLabelText<HTMLInputElement>('Text').value;

async function write() {
  const shown = show(<Page />);
  await shown.person.type(screen.getByLabelText('Text'), 'Away');
  return shown;
}

const end = (notice: string | null) => act(async () => endSession(notice));
const begin = (subject: string) => act(async () => signIn(subject));

it('what was typed waits as unsaved work where the session merely ended, and is there again', async () => {
  await write();
  await end('Session expired.');
  screen.getByText('Elsewhere');
  expect(unsavedWork()).toEqual([{ name: 'the reply', survivesNavigation: true }]);
  await begin('1');
  expect(text()).toBe('Away');
  expect(unsavedWork()).toEqual([{ name: 'the reply', survivesNavigation: false }]);
});

it('a secret is not kept', async () => {
  const { person } = await write();
  await person.type(screen.getByLabelText('Code'), 'loom-42');
  await end('Session expired.');
  await begin('1');
  expect(text()).toBe('Away');
  expect(screen.getByLabelText<HTMLInputElement>('Code').value).toBe('');
});

it('what was saved elsewhere meanwhile stays where nothing was typed', async () => {
  const { unmount } = await write();
  await end('Session expired.');
  unmount();
  signIn('1');
  show(<Page subject="On leave" />);
  expect(text()).toBe('Away');
  expect(screen.getByLabelText<HTMLInputElement>('Subject').value).toBe('On leave');
});

it('a save goes on from the version to which it was typed, so that it overwrites no other change', async () => {
  sent = [];
  const { person, unmount } = show(<Page version={5} />);
  await person.type(screen.getByLabelText('Text'), 'Away');
  await end('Session expired.');
  unmount();
  signIn('1');
  show(<Page version={6} />);
  fireEvent.submit(screen.getByRole('form', { name: 'Reply' }));
  await waitFor(() => expect(sent).toEqual([5]));
});

it('nothing is left of it for another person', async () => {
  await write();
  await end('Session expired.');
  await begin('2');
  expect(text()).toBe('');
  expect(unsavedWork()).toEqual([]);
  await end('Session expired.');
  await begin('1');
  expect(text()).toBe('');
});

it('nothing is left of it after a logout', async () => {
  await write();
  await end(null);
  expect(unsavedWork()).toEqual([]);
  await begin('1');
  expect(text()).toBe('');
});

it('nothing is left of it when the person went elsewhere', async () => {
  const { unmount } = await write();
  unmount();
  expect(unsavedWork()).toEqual([]);
  show(<Page />);
  expect(text()).toBe('');
});

it('what was typed is given back once', async () => {
  const { unmount } = await write();
  await end('Session expired.');
  await begin('1');
  expect(text()).toBe('Away');
  unmount();
  show(<Page />);
  expect(text()).toBe('');
});
