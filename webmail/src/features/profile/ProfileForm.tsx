import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import { profileForm } from '@selvage/core/contracts/profile';
import { Button, Field, Input, makeStyles, Textarea, tokens } from '@fluentui/react-components';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { fieldProblem } from '../../components/form/field-problem.ts';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import { notify } from '../../components/feedback/notify.ts';
import { SubmitButton } from '../../components/form/SubmitButton.tsx';
import { ApiError } from '../../lib/api-error.ts';
import { focusFirstProblem, type Problems, problemsOf } from '../../lib/problems.ts';
import { dropDraft, keepDraft, readDraft } from './draft.ts';
import { PictureField } from './PictureField.tsx';
import { failureOf, type ProfileValues, useSaveProfile, valuesOf } from './queries.ts';
import { usePicture } from './use-picture.ts';

const useStyles = makeStyles({
  form: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalL, maxWidth: '560px' },
  pair: {
    display: 'grid',
    gridTemplateColumns: '1fr 1fr',
    gap: tokens.spacingHorizontalL,
    '@media (max-width: 719px)': { gridTemplateColumns: '1fr' },
  },
  buttons: { display: 'flex', gap: tokens.spacingHorizontalS },
});

interface Props {
  user: CurrentUserDto;
  onPreview: (address: string | null) => void;
  onDirty: (isDirty: boolean) => void;
  onCancel: () => void;
  onSaved: () => void;
}

export function ProfileForm({ user, onPreview, onDirty, onCancel, onSaved }: Props) {
  const styles = useStyles();
  const client = useQueryClient();
  const [draft] = useState(() => readDraft(client));
  const [start] = useState(() => valuesOf(user));
  const [values, setValues] = useState(draft?.values ?? start);
  const [problems, setProblems] = useState<Problems>({});
  const formRef = useRef<HTMLFormElement>(null);
  const picture = usePicture(user.avatar, draft?.picture ?? null, onPreview);
  const save = useSaveProfile();
  const isDirty = picture.change !== null || JSON.stringify(values) !== JSON.stringify(start);

  useEffect(() => onDirty(isDirty), [isDirty, onDirty]);
  useEffect(() => {
    if (isDirty) keepDraft(client, { values, picture: picture.change });
    else dropDraft(client);
  }, [client, isDirty, values, picture.change]);
  useEffect(() => formRef.current?.querySelector<HTMLInputElement>('[name="fname"]')?.focus(), []);
  useUnloadWarning(isDirty);

  const change = (name: keyof ProfileValues, value: string): void => {
    setValues((old) => ({ ...old, [name]: value }));
    setProblems(({ [name]: _gone, ...rest }) => rest);
  };
  const refuse = (found: Problems): void => {
    setProblems(found);
    focusFirstProblem(formRef.current, found);
  };
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (save.isPending) return;
    const found = problemsOf(profileForm, values);
    if (Object.keys(found).length > 0) return refuse(found);
    save.mutate(
      { user, values, picture: picture.change },
      {
        onSuccess: () => {
          notify.success('Profile saved');
          onSaved();
        },
        onError: (error) => refuse(error instanceof ApiError ? error.fields : {}),
      },
    );
  };
  const text = (name: keyof ProfileValues, label: string, autoComplete: string, isRequired = false) => (
    <Field label={label} required={isRequired} {...fieldProblem(problems[name])}>
      <Input
        name={name}
        value={values[name]}
        autoComplete={autoComplete}
        {...(name === 'phone_number' ? { inputMode: 'tel' as const } : {})}
        onChange={(_event, data) => change(name, data.value)}
      />
    </Field>
  );

  return (
    <form ref={formRef} className={styles.form} onSubmit={handleSubmit} noValidate aria-label="Profile">
      <FormMessage text={failureOf(save.error)} />
      <PictureField
        hasPicture={picture.hasPicture}
        problem={picture.problem ?? problems['avatar']}
        onPick={picture.pick}
        onRemove={picture.remove}
      />
      <div className={styles.pair}>
        {text('fname', 'First name', 'given-name', true)}
        {text('lname', 'Last name', 'family-name')}
      </div>
      <Field
        label="Email"
        hint="Your address is your mailbox and cannot be changed here."
        {...fieldProblem(problems['email'])}
      >
        <Input name="email" type="email" value={user.email} readOnly />
      </Field>
      {text('phone_number', 'Phone', 'tel-national')}
      <div className={styles.pair}>
        {text('country', 'Country', 'country-name')}
        {text('designation', 'Designation', 'organization-title')}
      </div>
      <Field label="Bio" {...fieldProblem(problems['bio'])}>
        <Textarea
          name="bio"
          rows={4}
          resize="vertical"
          value={values.bio}
          onChange={(_event, data) => change('bio', data.value)}
        />
      </Field>
      <div className={styles.buttons}>
        <SubmitButton label="Save" busyLabel="Saving" isBusy={save.isPending} />
        <Button disabledFocusable={save.isPending} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

/** The browser asks before the page is closed over what is not saved. */
function useUnloadWarning(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isDirty]);
}
