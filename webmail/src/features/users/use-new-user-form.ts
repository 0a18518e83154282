import { encodePassword } from '@selvage/core/contracts/encode-password';
import { createUser, newUserForm, type UserChoices, username } from '@selvage/core/contracts/users';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useChanged } from '../../hooks/use-changed.ts';
import { type Form, useForm } from '../../hooks/use-form.ts';
import type { KeepAs } from '../../hooks/use-kept-input.ts';
import { api } from '../../lib/api.ts';
import { choicesQuery } from '../../lib/company-choices.ts';
import { useWords } from '../../lib/i18n.ts';
import { usersKey } from '../../lib/record-keys.ts';
import { userWords } from '../../words/users.ts';

export const emptyUser = {
  companyId: '',
  role_id: '',
  domain_id: '',
  username: '',
  fname: '',
  lname: '',
  phone_number: '',
  recovery_email: '',
  password: '',
};
export type NewUserValues = typeof emptyUser;

const { email: _whole, ...fields } = newUserForm.shape;
const schema = newUserForm.omit({ email: true }).extend({ ...fields, username });

const toBody = (values: NewUserValues) => ({ ...values, password: encodePassword(values.password) });

/** What an administrator gives to a new user. */
export interface HandedOver {
  name: string;
  email: string;
  password: string;
}

/** The form of a new user, and what it offers for the company that is chosen in it. */
export interface NewUserForm {
  form: Form<NewUserValues>;
  choices: UserChoices | undefined;
  /** Loads the choices again, when they could not be loaded; null otherwise. */
  onRetry: (() => void) | null;
  /** The name of the chosen domain; empty while none is chosen. */
  domainName: string;
}

const domainIn = (choices: UserChoices | undefined, id: string): string =>
  choices?.domains.find(({ _id }) => _id === id)?.domain_name ?? '';

interface Options {
  /** What is chosen already. */
  preset: Partial<NewUserValues>;
  /** What was typed before and not sent. */
  kept?: Partial<NewUserValues>;
  keepAs?: KeepAs;
  /** Told the address and the password, which are known for the last time. */
  onMade: (made: HandedOver) => void;
}

/** Adds a user to a company. */
export function useNewUserForm({ preset, kept, keepAs, onMade }: Options): NewUserForm {
  const t = useWords(userWords);
  const client = useQueryClient();
  const tellChanged = useChanged(usersKey);
  const form = useForm({
    start: { ...emptyUser, ...preset },
    ...(kept ? { kept } : {}),
    ...(keepAs ? { keepAs } : {}),
    schema,
    toBody,
    submit: ({ username: local, ...values }) => {
      const known = client.getQueryData<UserChoices>(choicesQuery(values.companyId).queryKey);
      const email = `${local}@${domainIn(known, values.domain_id)}`;
      return api(createUser, { body: { ...toBody({ ...values, username: '' }), email } });
    },
    fieldNames: { email: 'username' },
    onDone: async ({ fname, email }, { password }) => {
      onMade({ name: fname, email, password });
      await tellChanged(t.created);
    },
  });
  const { companyId, domain_id: domainId } = form.values;
  const { data: choices, error, refetch } = useQuery(choicesQuery(companyId));
  const onRetry = error && !choices ? () => void refetch() : null;
  return { form, choices, onRetry, domainName: domainIn(choices, domainId) };
}
