import type { DnsProblem } from '@selvage/core/contracts/domain-check';
import type { z } from 'zod';
import { triedTypes, tryRecord, whatIfForm } from '@selvage/core/contracts/domain-guard';
import type { DomainDetailDto } from '@selvage/core/contracts/domains';
import type { InferAnswer } from '@selvage/core/contracts/endpoint';
import { makeStyles, Text } from '@fluentui/react-components';
import { useState } from 'react';
import { Form } from '../../../components/form/Form.tsx';
import { FormMessage } from '../../../components/form/FormMessage.tsx';
import { SelectField } from '../../../components/form/choice-fields.tsx';
import { FieldPair, TextField } from '../../../components/form/fields.tsx';
import { SubmitButton } from '../../../components/form/SubmitButton.tsx';
import { TextAreaField } from '../../../components/form/TextAreaField.tsx';
import { Section } from '../../../components/page/Section.tsx';
import { useForm } from '../../../hooks/use-form.ts';
import { api } from '../../../lib/api.ts';
import { useWords } from '../../../lib/i18n.ts';
import { domainGuardWords } from '../../../words/domain-guard.ts';
import { ProblemList } from './ProblemList.tsx';

const useStyles = makeStyles({ send: { display: 'flex' } });

type Answer = InferAnswer<typeof tryRecord>;

const startOf = ({ _id }: DomainDetailDto): z.input<typeof whatIfForm> => ({
  domain_id: _id,
  type: 'TXT',
  name: '@',
  content: '',
});

/** Says what a check would find if the DNS had another record. */
export function TryRecord({ domain }: { domain: DomainDetailDto }) {
  const styles = useStyles();
  const t = useWords(domainGuardWords);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const form = useForm({
    start: startOf(domain),
    schema: whatIfForm,
    submit: (values) => api(tryRecord, { body: values }),
    onDone: setAnswer,
    onFailed: () => {
      setAnswer(null);
      return undefined;
    },
  });
  return (
    <Section title={t.tryTitle} hint={t.tryHint}>
      <Form form={form} label={t.tryTitle}>
        <FieldPair>
          <SelectField
            form={form}
            name="type"
            label={t.tryType}
            choices={triedTypes.map((type) => ({ value: type, label: type }))}
            isRequired
          />
          <TextField
            form={form}
            name="name"
            label={t.tryName}
            hint={t.tryNameHint}
            maxLength={253}
            autoCapitalize="none"
            spellCheck={false}
            isRequired
          />
        </FieldPair>
        <TextAreaField form={form} name="content" label={t.tryContent} hint={t.tryContentHint} isRequired />
        <div className={styles.send}>
          <SubmitButton label={t.tryButton} busyLabel={t.trying} isBusy={form.isPending} />
        </div>
      </Form>
      {answer && <Outcome answer={answer} />}
    </Section>
  );
}

const isIn = (problems: readonly DnsProblem[], { part, text }: DnsProblem): boolean =>
  problems.some((one) => one.part === part && one.text === text);

/** What would change. */
function Outcome({ answer: { check, problems_now: now } }: { answer: Answer }) {
  const t = useWords(domainGuardWords);
  const mended = now.filter((problem) => !isIn(check.problems, problem));
  const added = check.problems.filter((problem) => !isIn(now, problem));
  const isSame = mended.length === 0 && added.length === 0;
  return (
    <div role="status">
      {check.valid && <FormMessage intent="success" text={t.wouldBeValid} />}
      {isSame && !check.valid && <FormMessage intent="info" text={t.wouldStay} />}
      {added.length > 0 && (
        <>
          <Text weight="semibold">{t.wouldBreak}</Text>
          <ProblemList label={t.wouldBreak} domain={check.domain} problems={added} />
        </>
      )}
      {mended.length > 0 && (
        <>
          <Text weight="semibold">{t.wouldMend}</Text>
          <ul>
            {mended.map(({ part, text }) => (
              <li key={`${part} ${text}`}>{text}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
