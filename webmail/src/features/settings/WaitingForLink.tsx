import { Button } from '@fluentui/react-components';
import { useMutation } from '@tanstack/react-query';
import { notify } from '../../components/feedback/notify.ts';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import { useWords } from '../../lib/i18n.ts';
import { securityWords } from '../../words/security.ts';

interface Props {
  text: string;
  /** What is said once the link was mailed again. */
  said: string;
  /** Left out for a person who may not have it mailed. */
  resend: (() => Promise<unknown>) | undefined;
}

/** An address that is not used before its owner has opened the mailed link. */
export function WaitingForLink({ text, said, resend }: Props) {
  const t = useWords(securityWords);
  const { mutate, isPending } = useMutation({
    mutationFn: async () => await resend?.(),
    onSuccess: () => notify.success(said),
    onError: notify.error,
  });
  return (
    <FormMessage
      intent="warning"
      text={text}
      action={
        resend && (
          <Button size="small" disabledFocusable={isPending} onClick={() => !isPending && mutate()}>
            {isPending ? t.linkSending : t.linkAgain}
          </Button>
        )
      }
    />
  );
}
