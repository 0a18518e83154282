import { type DomainDetailDto, generateOpenDkim } from '@selvage/core/contracts/domains';
import type { InferAnswer, InferBody } from '@selvage/core/contracts/endpoint';
import { makeStyles } from '@fluentui/react-components';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { Form } from '../../components/form/Form.tsx';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import { FieldPair, TextField } from '../../components/form/fields.tsx';
import { SubmitButton } from '../../components/form/SubmitButton.tsx';
import { Section } from '../../components/page/Section.tsx';
import { useForm } from '../../hooks/use-form.ts';
import { api } from '../../lib/api.ts';
import { ApiError, messageOf } from '../../lib/api-error.ts';
import { useWords, wordsOf } from '../../lib/i18n.ts';
import { shownAddress } from '../../lib/shown-address.ts';
import { dnsRecordWords } from '../../words/dns-records.ts';
import { DkimKeys } from './DkimKeys.tsx';
import { domainQuery } from './queries.ts';
import { RecordLines } from './RecordLines.tsx';
import { newSelector } from './selector.ts';

const ASK_AGAIN_MS = 2_000;

const useStyles = makeStyles({ send: { display: 'flex' } });

type Asked = Pick<InferBody<typeof generateOpenDkim>, 'domain' | 'domain_id' | 'selector'>;
type Answer = InferAnswer<typeof generateOpenDkim>;

/** A record as it was asked for, and what the server has answered so far. */
interface Result {
  asked: Asked;
  answer: Answer;
}

/** Makes the DKIM record of a domain and a selector. */
export function DkimTab({ domain }: { domain: DomainDetailDto }) {
  const styles = useStyles();
  const t = useWords(dnsRecordWords);
  const { result, setResult, show } = useResult(domain._id);
  const failure = useAskAgain(result, show);
  const form = useForm({
    start: { domain: shownAddress(domain.domain_name), selector: 'default' },
    schema: generateOpenDkim.body,
    submit: async (values) => {
      // Another name than the page's own is another domain
      const isOwn = values.domain.trim() === shownAddress(domain.domain_name);
      const asked = { ...values, ...(isOwn ? { domain_id: domain._id } : {}) };
      return { asked, answer: await askFor(asked) };
    },
    onDone: show,
    onFailed: () => {
      setResult(null);
      return undefined;
    },
  });
  const changeKey = (): void => {
    const taken = domain.dkim_keys.map(({ selector }) => selector);
    form.set('domain', shownAddress(domain.domain_name));
    form.set('selector', newSelector(taken, new Date()));
    form.formRef.current?.querySelector<HTMLElement>('[type=submit]')?.focus();
  };
  return (
    <>
      <Section title={t.dkimTitle} hint={t.dkimHint}>
        <Form form={form} label={t.dkimTitle}>
          <FieldPair>
            <TextField
              form={form}
              name="domain"
              label={t.domain}
              maxLength={1000}
              autoCapitalize="none"
              spellCheck={false}
              isRequired
            />
            <TextField
              form={form}
              name="selector"
              label={t.selector}
              hint={t.selectorHint}
              maxLength={63}
              autoCapitalize="none"
              spellCheck={false}
              isRequired
            />
          </FieldPair>
          <div className={styles.send}>
            <SubmitButton label={t.generate} busyLabel={t.generating} isBusy={form.isPending} />
          </div>
        </Form>
      </Section>
      <FormMessage text={failure} />
      {result && !failure && <RecordResult answer={result.answer} />}
      <DkimKeys domain={domain} onChangeKey={changeKey} />
    </>
  );
}

/** What was made last. When a key is there, the list of keys is fetched again. */
function useResult(id: string) {
  const client = useQueryClient();
  const [result, setResult] = useState<Result | null>(null);
  const show = useCallback(
    (next: Result): void => {
      setResult(next);
      const { queryKey } = domainQuery(id);
      if (next.answer.content !== null) void client.invalidateQueries({ queryKey, exact: true });
    },
    [client, id],
  );
  return { result, setResult, show };
}

function RecordResult({ answer: { domain, record_name: name, content } }: { answer: Answer }) {
  const t = useWords(dnsRecordWords);
  if (content === null) return <FormMessage intent="info" text={t.makingKey} />;
  return (
    <Section title={t.resultTitle}>
      <RecordLines domain={domain} name={name} content={content} />
    </Section>
  );
}

/** The specification's sentence stands before the reason. */
async function askFor(asked: Asked, signal?: AbortSignal): Promise<Answer> {
  try {
    return await api(generateOpenDkim, { body: asked, ...(signal ? { signal } : {}) });
  } catch (error) {
    if (error instanceof ApiError && Object.keys(error.fields).length > 0) throw error;
    throw new Error(wordsOf(dnsRecordWords).failedWith({ reason: messageOf(error) }), { cause: error });
  }
}

/**
 * Asks again while the key is being made.
 * @returns why it stopped asking, if it did
 */
function useAskAgain(result: Result | null, onAnswer: (result: Result) => void): string | null {
  const [failed, setFailed] = useState<{ result: Result; text: string } | null>(null);
  useEffect(() => {
    if (!result || result.answer.content !== null) return;
    const abort = new AbortController();
    const ask = async (): Promise<void> => {
      try {
        const answer = await askFor(result.asked, abort.signal);
        if (!abort.signal.aborted) onAnswer({ asked: result.asked, answer });
      } catch (error) {
        if (!abort.signal.aborted) setFailed({ result, text: messageOf(error) });
      }
    };
    const timer = setTimeout(() => void ask(), ASK_AGAIN_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [result, onAnswer]);
  return failed?.result === result ? failed.text : null;
}
