import {
  createVariable,
  type SettingDto,
  updateVariable,
  type VariableDto,
  variableForm,
} from '@selvage/core/contracts/environment';
import { useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { FormDialog } from '../../../components/dialog/FormDialog.tsx';
import { notify } from '../../../components/feedback/notify.ts';
import { TextField } from '../../../components/form/fields.tsx';
import { useForm } from '../../../hooks/use-form.ts';
import { api } from '../../../lib/api.ts';
import { useWords, wordsOf } from '../../../lib/i18n.ts';
import { dialogWords } from '../../../words/dialogs.ts';
import { environmentWords } from '../../../words/environment.ts';
import { formWords } from '../../../words/forms.ts';
import { nowInWords } from './now-in-words.ts';
import { environmentKey } from './queries.ts';

interface Props {
  /** The settings that can be found by typing. */
  settings: SettingDto[];
  /** The one to change; without it, one is added. */
  variable?: VariableDto;
  onClose: () => void;
}

/** The value of a secret is never among them. */
function valuesOf(variable?: VariableDto) {
  return { key: variable?.key ?? '', value: variable?.value ?? '' };
}

/** Adds a variable, or gives one another value. */
export function VariableDialog({ settings, variable, onClose }: Props) {
  const t = useWords(environmentWords);
  const forms = useWords(formWords);
  const dialogs = useWords(dialogWords);
  const client = useQueryClient();
  const listId = useId();
  const form = useForm({
    start: valuesOf(variable),
    schema: variableForm,
    submit: (body, version) =>
      variable ? api(updateVariable, { body: { ...body, version } }) : api(createVariable, { body }),
    ...(variable ? { version: variable.version } : {}),
    fromConflict: (current) => {
      const theirs = current as VariableDto;
      return { values: valuesOf(theirs), version: theirs.version };
    },
    onDone: async (saved) => {
      const added = saved.has_effect ? t.created : t.kept;
      const changed = saved.has_effect ? t.updated : t.updatedKept;
      notify.success(variable ? changed : added);
      await client.invalidateQueries({ queryKey: environmentKey });
      onClose();
    },
  });
  const setting = settings.find(({ key }) => key === form.values.key.trim());
  return (
    <FormDialog
      form={form}
      title={variable ? t.edit : t.add}
      submitLabel={variable ? forms.save : dialogs.create}
      busyLabel={variable ? forms.saving : dialogs.creating}
      onClose={onClose}
    >
      <TextField
        form={form}
        name="key"
        label={t.key}
        hint={keyHint(form.values.key.trim(), setting, variable)}
        maxLength={100}
        spellCheck={false}
        autoCapitalize="characters"
        readOnly={variable !== undefined}
        list={listId}
        isRequired
      />
      {!variable && (
        <datalist id={listId}>
          {settings.map(({ key }) => (
            <option key={key}>{key}</option>
          ))}
        </datalist>
      )}
      <TextField
        form={form}
        name="value"
        label={t.value}
        hint={setting ? nowInWords(setting) : variable?.is_secret && t.secretHint}
        spellCheck={false}
        autoCapitalize="none"
        isRequired
      />
    </FormDialog>
  );
}

/** What the setting means, or that there is none of this name. */
function keyHint(key: string, setting: SettingDto | undefined, variable: VariableDto | undefined): string {
  const t = wordsOf(environmentWords);
  if (setting) return setting.description ?? t.keyHint;
  const isName = /^[A-Z0-9_]{3,}$/.test(key);
  return variable || isName ? t.noSetting : t.keyHint;
}
