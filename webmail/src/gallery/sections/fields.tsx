import { endpoint } from '@selvage/core/contracts/endpoint';
import { id } from '@selvage/core/contracts/fields';
import { z } from 'zod';
import { CodeField } from '../../components/form/CodeField.tsx';
import { CheckField, SelectField, SwitchField } from '../../components/form/choice-fields.tsx';
import { PickField } from '../../components/form/PickField.tsx';
import { FieldPair, TextField } from '../../components/form/fields.tsx';
import { GivenPasswordField } from '../../components/form/GivenPasswordField.tsx';
import { NumberField } from '../../components/form/NumberField.tsx';
import { PasswordField } from '../../components/form/PasswordField.tsx';
import { RecoveryCodeField } from '../../components/form/RecoveryCodeField.tsx';
import { TextAreaField } from '../../components/form/TextAreaField.tsx';
import { listMills, type MillDto, millDto } from '../mills/contract.ts';
import { useSampleForm } from '../sample-form.ts';
import { Specimen } from '../Specimen.tsx';

const start = {
  name: 'Ambika Mills',
  town: '',
  spindles: 12_400,
  password: 'a long pass phrase',
  code: '471139',
  about: 'Ring-spun cotton, counts from 20 to 80.',
  industry: 'textiles',
  mill: '',
  isActive: true,
  isDefault: false,
};
const millRecords = {
  list: { ...listMills, path: `${listMills.path}/many` },
  get: endpoint({
    method: 'GET',
    path: '/mill/get/:id',
    summary: 'One mill',
    needs: 'public',
    params: z.object({ id }),
    answer: millDto,
  }),
  queryKey: ['mills'],
  keyOf: ({ _id }: MillDto) => _id,
  nameOf: ({ name }: MillDto) => name,
};
const industries = [
  { value: 'textiles', label: 'Textiles' },
  { value: 'dyeing', label: 'Dyeing' },
];

const problems = {
  name: 'Company name must be at least 2 characters long',
  town: 'City is required',
  spindles: 'Spindles are required',
  password: 'Password must be at least 8 characters',
  code: 'Invalid OTP. Please try again.',
  about: 'At most 1,000 characters',
  industry: 'Industry is required',
  mill: 'Mill is required',
  isActive: 'The provider company stays active',
  recovery_code: 'That code was used already, or there was never one like it. Try another one of the ten.',
};

export function Fields() {
  return (
    <>
      <AllFields title="At rest" />
      <AllFields title="With problems" problems={problems} />
      <AllFields title="While the form is sent" isPending />
      <LongLabels />
    </>
  );
}

function AllFields({ title, ...state }: { title: string; problems?: Record<string, string>; isPending?: boolean }) {
  const form = useSampleForm(start, state);
  const code = useSampleForm({ recovery_code: 'a7k2-99qd' }, state);
  return (
    <Specimen title={title} shape="column">
      <FieldPair>
        <TextField form={form} name="name" label="Company Name" isRequired />
        <TextField form={form} name="town" label="City" placeholder="Coimbatore" hint="As it stands on letters." />
      </FieldPair>
      <NumberField form={form} name="spindles" label="Spindles" digits={6} isRequired />
      <PasswordField form={form} name="password" label="Password" autoComplete="new-password" />
      <GivenPasswordField form={form} name="password" label="Password for another person" />
      <CodeField form={form} name="code" label="Code" onComplete={() => undefined} />
      <RecoveryCodeField form={code} />
      <TextAreaField form={form} name="about" label="About" />
      <SelectField form={form} name="industry" label="Industry" choices={industries} placeholder="Choose one" />
      <SelectField form={form} name="industry" label="Cannot be changed" choices={industries} isDisabled />
      <SelectField form={form} name="industry" label="Not loaded" choices={[]} failure={unloaded} isDisabled />
      <PickField form={form} name="mill" label="One of many, found by typing" records={millRecords} />
      <SwitchField form={form} name="isActive" label="Active" />
      <CheckField form={form} name="isDefault" label="The person must change the password at the first login" />
    </Specimen>
  );
}

const unloaded = new Error('The choices could not be loaded.');

function LongLabels() {
  const form = useSampleForm(start, { problems: { name: problems.recovery_code } });
  const label = 'The name under which the company is entered in the commercial register of its district court';
  return (
    <Specimen title="Long labels" shape="column">
      <TextField form={form} name="name" label={label} hint={label} isRequired />
      <SwitchField form={form} name="isActive" label={label} />
      <CheckField form={form} name="isDefault" label={label} />
      <SelectField form={form} name="industry" label={label} choices={[{ value: 'textiles', label }]} />
    </Specimen>
  );
}
