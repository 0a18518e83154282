import { Button } from '@fluentui/react-components';
import { RecordList, RecordRow } from '../../components/list/RecordList.tsx';
import { CountBadge } from '../../components/list/CountBadge.tsx';
import { Form } from '../../components/form/Form.tsx';
import { FieldPair, TextField } from '../../components/form/fields.tsx';
import { SubmitButton } from '../../components/form/SubmitButton.tsx';
import { Page } from '../../components/page/Page.tsx';
import { Section } from '../../components/page/Section.tsx';
import { TabbedPage } from '../../components/page/TabbedPage.tsx';
import { StateWord } from '../../components/StateWord.tsx';
import { useForm } from '../../hooks/use-form.ts';
import { Specimen } from '../Specimen.tsx';

const tabs = [
  { name: 'records', label: 'Add Records' },
  { name: 'dkim', label: 'Open DKIM' },
  { name: 'dns', label: 'Check DNS' },
  { name: 'deliveries', label: 'What became of the mail of this domain' },
] as const;
const rows = [
  { id: '1', name: 'Chrome on Windows', details: ['10.0.0.7', 'logged in 3 days ago'] },
  { id: '2', name: 'A phone with a very long name that its owner gave it on a Sunday', details: ['192.168.178.20'] },
];
const retry = (): void => undefined;

export function Pages() {
  return (
    <>
      <Specimen title="A form" shape="screen" height={460}>
        <Page title="Company" width="form" actions={<Button>Cancel</Button>}>
          <SampleForm />
        </Page>
      </Specimen>
      <Specimen title="Sections" shape="screen" height={720}>
        <Page title="Security" aside={<CountBadge count={2} label="2 sessions" />}>
          <Section
            title="Password"
            hint="Change it when another person may know it."
            action={<Button>Change</Button>}
          />
          <Section title="Active sessions" hint="Devices and browsers that are logged in to your account.">
            <Records rows={rows} />
          </Section>
          <Section title="On the way">
            <Records rows={undefined} />
          </Section>
          <Section title="Failed">
            <Records rows={undefined} error={new Error('The database is away.')} />
          </Section>
          <Section title="Empty">
            <Records rows={[]} />
          </Section>
        </Page>
      </Specimen>
      <Specimen title="Tabs" shape="screen" height={300} path="/dashboard/domain/7?tab=dkim">
        <TabbedPage
          title="mill.test"
          parameter="tab"
          tabs={tabs}
          actions={<Button appearance="primary">Verify</Button>}
        >
          {(open) => <p style={{ margin: 0 }}>The tab {open} is open.</p>}
        </TabbedPage>
      </Specimen>
      <Specimen title="A long title with actions" shape="screen" height={260}>
        <Page
          title="The Honourable Company of Spinners, Doublers and Dyers of the Kongu Country"
          aside={<StateWord kind="good">Active</StateWord>}
          actions={
            <>
              <Button>Edit Company</Button>
              <Button>Delete Company</Button>
            </>
          }
        >
          <p style={{ margin: 0 }}>Coimbatore</p>
        </Page>
      </Specimen>
    </>
  );
}

function SampleForm() {
  const form = useForm({ start: { name: 'Ambika Mills', town: 'Coimbatore' }, submit: () => Promise.resolve() });
  return (
    <Form form={form} label="Company">
      <FieldPair>
        <TextField form={form} name="name" label="Company Name" isRequired />
        <TextField form={form} name="town" label="City" />
      </FieldPair>
      <div>
        <SubmitButton label="Save" busyLabel="Saving" isBusy={form.isPending} />
      </div>
    </Form>
  );
}

function Records({ rows: shown, error = null }: { rows: typeof rows | undefined; error?: Error | null }) {
  return (
    <RecordList
      label="Sessions"
      rows={shown}
      error={error}
      empty="There is no session."
      onRetry={retry}
      renderRow={({ id, name, details }) => (
        <RecordRow
          key={id}
          title={name}
          details={details}
          badge={id === '1' && <StateWord kind="good">This device</StateWord>}
          actions={<Button size="small">Log out</Button>}
        />
      )}
    />
  );
}
