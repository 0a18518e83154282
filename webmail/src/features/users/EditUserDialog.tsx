import { usersKey } from '../../lib/record-keys.ts';
import { encodePassword } from '@selvage/core/contracts/encode-password';
import { updateUser, type UserDto, userForm } from '@selvage/core/contracts/users';
import { useQuery } from '@tanstack/react-query';
import { FormDialog } from '../../components/dialog/FormDialog.tsx';
import { SelectField, SwitchField } from '../../components/form/choice-fields.tsx';
import { FieldPair, TextField } from '../../components/form/fields.tsx';
import { GivenPasswordField } from '../../components/form/GivenPasswordField.tsx';
import { TextAreaField } from '../../components/form/TextAreaField.tsx';
import { useChanged } from '../../hooks/use-changed.ts';
import { useForm } from '../../hooks/use-form.ts';
import { api } from '../../lib/api.ts';
import { choicesQuery } from '../../lib/company-choices.ts';
import { useWords } from '../../lib/i18n.ts';
import { dialogWords } from '../../words/dialogs.ts';
import { formWords } from '../../words/forms.ts';
import { bytesOf, gigabytesOf } from '../../lib/limits.ts';
import { limitWords } from '../../words/limits.ts';
import { userWords } from '../../words/users.ts';
import { cleanPhone } from '../../lib/clean.ts';

function valuesOf(user: UserDto) {
  return {
    fname: user.fname,
    lname: user.lname,
    role_id: user.role_id._id,
    phone_number: user.phone_number ?? '',
    recovery_email: user.recovery_email ?? '',
    designation: user.designation ?? '',
    country: user.country ?? '',
    bio: user.bio ?? '',
    storage_limit: gigabytesOf(user.storage_limit),
    active_status: user.active_status,
    loginAllowed: user.loginAllowed,
    password: '',
  };
}

/** What is checked and sent: a password only if there is another one. */
function toBody(user: UserDto, { password, storage_limit, ...values }: ReturnType<typeof valuesOf>) {
  const limit = { storage_limit: bytesOf(storage_limit, user.storage_limit) };
  return { ...values, ...limit, ...(password === '' ? {} : { password: encodePassword(password) }) };
}

/** Changes another user. */
export function EditUserDialog({ user, onClose }: { user: UserDto; onClose: () => void }) {
  const t = useWords(userWords);
  const l = useWords(limitWords);
  const { save, saving } = useWords(formWords);
  const { unsaved } = useWords(dialogWords);
  const tellChanged = useChanged(usersKey);
  const form = useForm({
    start: valuesOf(user),
    schema: userForm,
    fallback: t.updateFailed,
    toBody: (values) => toBody(user, values),
    submit: (values, version) =>
      api(updateUser, { params: { id: user._id }, body: { ...toBody(user, values), ...(version ? { version } : {}) } }),
    version: user.version,
    fromConflict: (current) => {
      const theirs = current as UserDto;
      return { values: valuesOf(theirs), version: theirs.version };
    },
    keepAs: { key: `user ${user._id}`, name: unsaved({ title: t.edit }), except: ['password'] },
    onDone: () => tellChanged(t.updated).then(onClose),
  });
  return (
    <FormDialog form={form} title={t.edit} submitLabel={save} busyLabel={saving} onClose={onClose}>
      <FieldPair>
        <TextField form={form} name="fname" label={t.firstName} maxLength={100} isRequired />
        <TextField form={form} name="lname" label={t.lastName} maxLength={100} />
        <SelectField form={form} name="role_id" label={t.role} {...useRoleChoices(user)} isRequired />
        <TextField form={form} name="designation" label={t.designation} maxLength={100} />
        <TextField form={form} name="phone_number" label={t.phone} inputMode="numeric" clean={cleanPhone} />
        <TextField form={form} name="country" label={t.country} maxLength={100} />
        <TextField form={form} name="recovery_email" label={t.recoveryEmail} hint={t.recoveryHint} type="email" />
        <GivenPasswordField
          form={form}
          name="password"
          label={t.newPassword}
          hint={t.newPasswordHint}
          isRequired={false}
        />
        <TextField
          form={form}
          name="storage_limit"
          label={l.ownLimit}
          hint={l.ownHint}
          inputMode="decimal"
          maxLength={12}
        />
      </FieldPair>
      <TextAreaField form={form} name="bio" label={t.bio} rows={3} />
      <FieldPair>
        <SwitchField form={form} name="active_status" label={t.isActive} hint={t.isActiveHint} />
        <SwitchField form={form} name="loginAllowed" label={t.loginAllowed} hint={t.loginAllowedHint} />
      </FieldPair>
    </FormDialog>
  );
}

/** The roles that the caller may give and the one that the user has, for `SelectField`. */
function useRoleChoices({ company_id, role_id }: UserDto) {
  const { data, error } = useQuery(choicesQuery(company_id._id));
  const others = (data?.roles ?? []).filter(({ _id, assignable }) => assignable && _id !== role_id._id);
  const choices = [role_id, ...others]
    .toSorted((a, b) => a.role_id - b.role_id)
    .map(({ _id, role_name }) => ({ value: _id, label: role_name }));
  return { choices, failure: data ? null : error };
}
