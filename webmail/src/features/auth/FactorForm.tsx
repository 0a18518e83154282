import { Button, Field, Input, Text } from '@fluentui/react-components';
import { useEffect } from 'react';
import { CodeField } from '../../components/form/CodeField.tsx';
import { fieldProblem } from '../../components/form/field-problem.ts';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import type { Factor } from './use-factor.ts';

interface Props {
  factor: Factor;
  isBusy: boolean;
  problem: string | null;
}

/** What one way of proving oneself asks for. */
export function FactorForm({ factor, isBusy, problem }: Props) {
  const { way, isSent, inputRef } = factor;
  // each way that is chosen begins with its field
  useEffect(() => inputRef.current?.focus(), [way, isSent, inputRef]);
  const code = {
    label: 'Code',
    value: factor.value,
    problem: problem ?? undefined,
    isReadOnly: isBusy,
    inputRef,
    onChange: factor.change,
    onComplete: (value: string) => void factor.submit(value),
  };
  if (way === 'totp') {
    return (
      <>
        <Text>Enter the 6-digit code that your authenticator app shows now.</Text>
        <CodeField key={way} {...code} />
      </>
    );
  }
  if (way === 'passkey') {
    return (
      <>
        <Text>Your browser asks for the passkey: a security key, your phone, or how you unlock this device.</Text>
        <FormMessage text={problem} />
      </>
    );
  }
  if (way === 'recovery_code') {
    return (
      <>
        <Text>Enter one of the codes that you kept when you turned two-factor authentication on. Each works once.</Text>
        <Field label="Recovery code" required {...fieldProblem(problem ?? undefined)}>
          <Input
            input={{ ref: inputRef }}
            name="recovery_code"
            value={factor.value}
            readOnly={isBusy}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            onChange={(_event, data) => factor.change(data.value)}
          />
        </Field>
      </>
    );
  }
  if (!isSent) {
    return (
      <>
        <Text>
          We send a 6-digit code to your recovery e-mail. Signing in with it turns two-factor authentication off; you
          can turn it on again in the account settings.
        </Text>
        <FormMessage text={problem} />
      </>
    );
  }
  return (
    <>
      <Text>A code is on its way to your recovery e-mail. Look into the spam folder too.</Text>
      <CodeField key={way} {...code} />
      <div>
        <Button size="small" disabledFocusable={isBusy} onClick={() => void factor.mailCode()}>
          Send again
        </Button>
      </div>
    </>
  );
}
