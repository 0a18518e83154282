import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import { profileForm } from '@selvage/core/contracts/profile';
import { Button, Field, Input, makeStyles, tokens } from '@fluentui/react-components';
import { useEffect } from 'react';
import { notify } from '../../components/feedback/notify.ts';
import { FieldPair, TextField } from '../../components/form/fields.tsx';
import { Form } from '../../components/form/Form.tsx';
import { SubmitButton } from '../../components/form/SubmitButton.tsx';
import { TextAreaField } from '../../components/form/TextAreaField.tsx';
import { useForm } from '../../hooks/use-form.ts';
import { useWords } from '../../lib/i18n.ts';
import { shownAddress } from '../../lib/shown-address.ts';
import { profileWords } from '../../words/profile.ts';
import { PictureField } from './PictureField.tsx';
import { usePreview } from './picture.ts';
import { bodyOf, useSaveProfile, valuesOf } from './queries.ts';

const useStyles = makeStyles({ buttons: { display: 'flex', gap: tokens.spacingHorizontalS } });

interface Props {
  user: CurrentUserDto;
  /** Shows the picture as it will be. */
  onPreview: (address: string | null) => void;
  onCancel: () => void;
  onSaved: () => void;
}

/** Changes the person's own profile. */
export default function ProfileForm({ user, onPreview, onCancel, onSaved }: Props) {
  const styles = useStyles();
  const t = useWords(profileWords);
  const save = useSaveProfile(user);
  const form = useForm({
    start: valuesOf(user),
    schema: profileForm,
    toBody: (values) => bodyOf(values, user.email),
    submit: save,
    onDone: () => {
      notify.success(t.saved);
      onSaved();
    },
    fallback: t.saveFailed,
    fieldLabels: { avatar: t.picture },
    version: user.version,
    fromConflict: (current) => {
      const theirs = current as CurrentUserDto;
      return { values: valuesOf(theirs), version: theirs.version };
    },
    unsavedName: t.unsaved,
    keepAs: { key: 'profile', name: t.unsaved },
  });
  const preview = usePreview(form.values.avatar, user.avatar);
  useEffect(() => onPreview(preview), [preview, onPreview]);
  useEffect(() => form.formRef.current?.querySelector<HTMLInputElement>('[name="fname"]')?.focus(), [form.formRef]);
  return (
    <Form form={form} label={t.title}>
      <PictureField form={form} hasSaved={user.avatar !== null} />
      <FieldPair>
        <TextField form={form} name="fname" label={t.firstName} autoComplete="given-name" isRequired />
        <TextField form={form} name="lname" label={t.lastName} autoComplete="family-name" />
      </FieldPair>
      <Field label={t.email} hint={t.emailHint}>
        <Input name="email" type="email" value={shownAddress(user.email)} readOnly appearance="filled-darker" />
      </Field>
      <TextField form={form} name="phone_number" label={t.phone} autoComplete="tel-national" inputMode="tel" />
      <FieldPair>
        <TextField form={form} name="country" label={t.country} autoComplete="country-name" />
        <TextField form={form} name="designation" label={t.designation} autoComplete="organization-title" />
      </FieldPair>
      <TextAreaField form={form} name="bio" label={t.bio} />
      <div className={styles.buttons}>
        <SubmitButton label={t.save} busyLabel={t.saving} isBusy={form.isPending} />
        <Button disabledFocusable={form.isPending} onClick={onCancel}>
          {t.cancel}
        </Button>
      </div>
    </Form>
  );
}
