import { builtInRole } from '@selvage/core/contracts/permissions';
import type { UserChoices } from '@selvage/core/contracts/users';
import { makeStyles, tokens } from '@fluentui/react-components';
import { useState } from 'react';
import { Form } from '../../components/form/Form.tsx';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import { SubmitButton } from '../../components/form/SubmitButton.tsx';
import { Section } from '../../components/page/Section.tsx';
import { TextLink } from '../../components/TextLink.tsx';
import { useWords } from '../../lib/i18n.ts';
import { shownAddress } from '../../lib/shown-address.ts';
import { onboardingWords } from '../../words/onboarding.ts';
import { NewUserFields } from '../users/NewUserFields.tsx';
import { NewUserSecret } from '../users/NewUserSecret.tsx';
import { emptyUser, type HandedOver, useNewUserForm } from '../users/use-new-user-form.ts';
import { keepUnsaved, readUnsaved, useKeepUnsaved } from './unsaved-input.ts';
import { RolesOverview } from './RolesOverview.tsx';
import { StepFrame } from './StepFrame.tsx';
import type { Progress } from './use-progress.ts';
import { useReportDirty } from './use-report-dirty.ts';

const useStyles = makeStyles({ buttons: { display: 'flex', gap: tokens.spacingHorizontalS } });

/** The third step: what people may do, and the first of them. It can be skipped. */
export function PeopleStep({ progress }: { progress: Progress }) {
  const t = useWords(onboardingWords);
  const { choices, done, others, user } = progress;
  const isUnproved = choices?.domains.length === 0;
  const waitsFor = isUnproved ? t.proveOrSkip : t.addFirst;
  const [isDirty, setDirty] = useState(false);
  // Each person begins with an empty form
  const [round, setRound] = useState(0);
  const [made, setMade] = useState<HandedOver | null>(null);
  const handleMade = (person: HandedOver): void => {
    keepUnsaved(user._id, 'person', null);
    setMade(person);
    setRound(round + 1);
  };
  return (
    <StepFrame progress={progress} step={3} waitsFor={done[3] && !isDirty ? '' : waitsFor} canSkip>
      <RolesOverview own={user.role_id.role_id} />
      {choices ? (
        <Section
          title={others > 0 ? t.anotherEmployee : t.employee}
          hint={others > 0 ? t.hasPeople(others) : undefined}
        >
          {isUnproved ? (
            <Unproved progress={progress} />
          ) : (
            <EmployeeForm key={round} progress={progress} choices={choices} onDirty={setDirty} onMade={handleMade} />
          )}
        </Section>
      ) : (
        <FormMessage intent="info" text={t.notYours} />
      )}
      {made && <NewUserSecret {...made} onClose={() => setMade(null)} />}
    </StepFrame>
  );
}

/** No person can have an address yet. */
function Unproved({ progress: { domain } }: { progress: Progress }) {
  const t = useWords(onboardingWords);
  if (!domain) return <FormMessage intent="warning" text={t.proveAnyFirst} />;
  return (
    <FormMessage
      intent="warning"
      text={t.proveFirst({ domain: shownAddress(domain.domain_name) })}
      action={<TextLink to="?step=2">{t.toDomain}</TextLink>}
    />
  );
}

interface Props {
  progress: Progress;
  choices: UserChoices;
  onDirty: (isDirty: boolean) => void;
  onMade: (made: HandedOver) => void;
}

function EmployeeForm({ progress: { user, domain }, choices, onDirty, onMade }: Props) {
  const styles = useStyles();
  const t = useWords(onboardingWords);
  const isUsable = (id: string | undefined): boolean => choices.domains.some(({ _id }) => _id === id);
  const [base] = useState(() => ({
    ...emptyUser,
    companyId: user.company_id._id,
    // Of the company's domains, those that are not proved can't be chosen
    domain_id: (isUsable(domain?._id) ? domain : choices.domains[0])?._id ?? '',
    role_id: choices.roles.find(({ role_id, assignable }) => role_id === builtInRole.user && assignable)?._id ?? '',
  }));
  const { domain_id: kept, ...words } = readUnsaved(user._id, 'person', base);
  const newUser = useNewUserForm({
    preset: base,
    kept: { ...words, ...(isUsable(kept) && kept !== undefined ? { domain_id: kept } : {}) },
    onMade,
  });
  const { form } = newUser;
  useKeepUnsaved(user._id, 'person', { values: form.values, base, isDirty: form.isDirty });
  useReportDirty(form.isDirty, onDirty);
  return (
    <Form form={form} label={t.employee}>
      <NewUserFields {...newUser} />
      <div className={styles.buttons}>
        <SubmitButton label={t.createEmployee} busyLabel={t.creatingEmployee} isBusy={form.isPending} />
      </div>
    </Form>
  );
}
