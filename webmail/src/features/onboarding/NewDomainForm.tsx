import { createDomain, type DomainDetailDto, newDomainForm } from '@selvage/core/contracts/domains';
import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { CheckField } from '../../components/form/choice-fields.tsx';
import { FieldPair, TextField } from '../../components/form/fields.tsx';
import { Form } from '../../components/form/Form.tsx';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import { SubmitButton } from '../../components/form/SubmitButton.tsx';
import { useChanged } from '../../hooks/use-changed.ts';
import { useForm } from '../../hooks/use-form.ts';
import { api } from '../../lib/api.ts';
import { ApiError } from '../../lib/api-error.ts';
import { useWords } from '../../lib/i18n.ts';
import { domainsKey } from '../../lib/record-keys.ts';
import type { Problems } from '../../lib/problems.ts';
import { domainWords } from '../../words/domains.ts';
import { onboardingWords } from '../../words/onboarding.ts';
import { dayOfText } from './day-text.ts';
import { asDomainFailure, checkDay } from './domain-form.ts';
import { ExpiryField, PastExpiry } from './ExpiryField.tsx';
import { keepUnsaved, readUnsaved, useKeepUnsaved } from './unsaved-input.ts';
import { useReportDirty } from './use-report-dirty.ts';

const useStyles = makeStyles({ buttons: { display: 'flex', gap: tokens.spacingHorizontalS } });

const typed = { domain_name: '', expiry: '' };
type Values = typeof typed & { similar_domain_ok: boolean };
const start: Values = { ...typed, similar_domain_ok: false };

interface Props {
  owner: string;
  onDirty: (isDirty: boolean) => void;
}

/** Adds the domain of a company that has none, or none that is not deleted. */
export function NewDomainForm({ owner, onDirty }: Props) {
  const styles = useStyles();
  const t = useWords(onboardingWords);
  const { similarOk } = useWords(domainWords);
  const navigate = useNavigate();
  const tellChanged = useChanged(domainsKey);
  // The domain that the server has found to look like another one
  const [similar, setSimilar] = useState<string | null>(null);
  const checkName = (name: string): Problems => {
    const problem = newDomainForm.shape.domain_name.safeParse(name).error?.issues[0]?.message;
    if (!problem) return {};
    return { domain_name: name.trim() === '' ? problem : t.domainWrong({ host: 'example.com' }) };
  };
  const form = useForm<Values, DomainDetailDto>({
    start,
    kept: readUnsaved(owner, 'domain', typed),
    check: ({ domain_name: name, expiry }) => ({ ...checkName(name), ...checkDay(expiry) }),
    fieldNames: { expiration_date: 'expiry' },
    submit: async ({ domain_name: name, expiry, similar_domain_ok: isOk }) => {
      const body = {
        domain_name: name,
        expiration_date: dayOfText(expiry),
        similar_domain_ok: isOk && name === similar,
      };
      return await api(createDomain, { body }).catch((error: unknown) => {
        if (error instanceof ApiError && error.code === 'similar_domain') setSimilar(name);
        return asDomainFailure(error);
      });
    },
    onDone: async () => {
      // The form of the domain that is there now would show them as not saved
      keepUnsaved(owner, 'domain', null);
      await tellChanged(t.domainAdded);
    },
  });
  const { domain_name, expiry } = form.values;
  useKeepUnsaved(owner, 'domain', { values: { domain_name, expiry }, base: typed, isDirty: form.isDirty });
  useReportDirty(form.isDirty, onDirty);
  return (
    <>
      <FormMessage intent="info" text={t.noDomain} />
      <Form form={form} label={t.domainForm}>
        <FieldPair>
          <TextField
            form={form}
            name="domain_name"
            label={t.domainName}
            hint={t.newDomainHint}
            maxLength={1000}
            autoCapitalize="none"
            spellCheck={false}
            isRequired
          />
          <ExpiryField form={form} />
        </FieldPair>
        <PastExpiry expiry={form.values.expiry} />
        {form.values.domain_name === similar && <CheckField form={form} name="similar_domain_ok" label={similarOk} />}
        <div className={styles.buttons}>
          <SubmitButton label={t.addDomain} busyLabel={t.addingDomain} isBusy={form.isPending} />
        </div>
      </Form>
      <FormMessage
        intent="info"
        text={t.deletedDomain}
        action={
          <Button size="small" onClick={() => void navigate('/dashboard/domain?state=deleted')}>
            {t.openDomains}
          </Button>
        }
      />
    </>
  );
}
