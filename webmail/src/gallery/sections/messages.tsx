import { Button } from '@fluentui/react-components';
import { FormConflict } from '../../components/form/FormConflict.tsx';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import { Specimen } from '../Specimen.tsx';

const nothing = (): void => undefined;
const conflict = { by: 'Priya Raman', at: '2026-10-05T09:20:00Z', fields: [], current: null };
const action = <Button size="small">Try again</Button>;

export function Messages() {
  return (
    <>
      {(['error', 'warning', 'success', 'info'] as const).map((intent) => (
        <Specimen key={intent} title={intent} shape="column">
          <FormMessage intent={intent} text="The line is down. Nothing was lost." />
          <FormMessage intent={intent} text="The line is down. Nothing was lost." action={action} />
        </Specimen>
      ))}
      <Specimen title="Another person saved meanwhile" shape="column">
        <FormConflict conflict={conflict} onMerge={nothing} onTakeTheirs={nothing} />
        <FormConflict
          conflict={{ ...conflict, by: null, fields: ['Company Name', 'Pin Code'] }}
          onMerge={nothing}
          onTakeTheirs={nothing}
        />
      </Specimen>
      <Specimen title="Across the screen" shape="screen">
        <FormMessage
          intent="warning"
          text="The server cannot be reached. We keep trying, and what you have typed stays here."
          action={action}
        />
      </Specimen>
      <Specimen title="A long word" shape="column">
        <FormMessage text={`The record ${'v=DKIM1;k=rsa;p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A'.repeat(3)} is cut off.`} />
      </Specimen>
    </>
  );
}
