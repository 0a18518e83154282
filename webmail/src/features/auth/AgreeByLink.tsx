import { type ReactNode, useState } from 'react';
import { Form } from '../../components/form/Form.tsx';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import { SubmitButton } from '../../components/form/SubmitButton.tsx';
import { TextLink } from '../../components/TextLink.tsx';
import { useForm } from '../../hooks/use-form.ts';
import { useWords } from '../../lib/i18n.ts';
import { linkWords } from '../../words/link.ts';
import { AuthCard } from './AuthCard.tsx';
import { useLinkOnce } from './use-link-once.ts';
import { useLinkToken } from './use-link-token.ts';

interface Props {
  words: { title: string; hint: string; submit: string; busy: string; doneTitle: string };
  /** Agrees by the secret of the link. Returns the sentence to show then. */
  agree: (token: string) => Promise<string>;
}

/**
 * Where a link leads that was mailed to an address, so that its owner agrees to something. The page
 * asks first: programs that look for harmful links open them too, and none of them may agree in the
 * person's place.
 */
export function AgreeByLink({ words, agree }: Props) {
  const t = useWords(linkWords);
  const token = useLinkToken();
  const [done, setDone] = useState<string | null>(null);
  if (done !== null) return <End title={words.doneTitle} message={<FormMessage text={done} intent="success" />} />;
  if (!token) return <End title={t.overTitle} message={<FormMessage text={t.incomplete} />} />;
  return <Question words={words} agree={() => agree(token)} onDone={setDone} />;
}

function End({ title, message }: { title: string; message: ReactNode }) {
  const t = useWords(linkWords);
  return (
    <AuthCard title={title}>
      {message}
      <TextLink to="/">{t.goOn}</TextLink>
    </AuthCard>
  );
}

interface QuestionProps {
  words: Props['words'];
  agree: () => Promise<string>;
  onDone: (text: string) => void;
}

function Question({ words, agree, onDone }: QuestionProps) {
  const t = useWords(linkWords);
  const submit = useLinkOnce(agree, t.usedBefore);
  const form = useForm({ start: {}, submit: () => submit(), onDone });
  return (
    <AuthCard title={words.title} hint={words.hint}>
      <Form form={form} label={words.title}>
        <SubmitButton label={words.submit} busyLabel={words.busy} isBusy={form.isPending} size="large" />
      </Form>
    </AuthCard>
  );
}
