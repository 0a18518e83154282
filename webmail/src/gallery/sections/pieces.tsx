import { CountBadge } from '../../components/list/CountBadge.tsx';
import { TickBox } from '../../components/list/TickBox.tsx';
import { MailDrawing, SpoolDrawing, WeaveDrawing } from '../../components/drawings.tsx';
import { PageSpinner } from '../../components/feedback/PageSpinner.tsx';
import { Bar, Placeholder } from '../../components/feedback/Placeholder.tsx';
import { Ring } from '../../components/feedback/Ring.tsx';
import { FileIcon } from '../../components/FileIcon.tsx';
import { Initials } from '../../components/Initials.tsx';
import { LightPaper } from '../../components/LightPaper.tsx';
import { LimitUse } from '../../components/LimitUse.tsx';
import { Logo } from '../../components/Logo.tsx';
import { PlanUseSection } from '../../components/PlanUseSection.tsx';
import { type StateKind, StateWord } from '../../components/StateWord.tsx';
import { Specimen } from '../Specimen.tsx';

const states: [StateKind, string][] = [
  ['good', 'Delivered'],
  ['waiting', 'On its way'],
  ['bad', 'Not delivered'],
  ['held', 'Sending'],
  ['quiet', 'Taken back'],
];
const people = [
  'Priya Raman',
  'Kenji Watanabe',
  'Marta Nowak',
  'João Silva',
  'אבי כהן',
  'accounts@mill.test',
  '請求書',
  '42',
];
const plan = {
  users: { used: 24, limit: 25 },
  domains: { used: 1, limit: 5 },
  storage: { used: 12 * 2 ** 30, limit: null },
};
const files = ['image/png', 'application/pdf', 'application/zip', 'text/plain'];

export function Pieces() {
  return (
    <>
      <Specimen title="States">
        {states.map(([kind, word]) => (
          <StateWord key={kind} kind={kind}>
            {word}
          </StateWord>
        ))}
      </Specimen>
      <Specimen title="Use of a limit">
        {[30, 93, 100].map((used) => (
          <LimitUse key={used} use={{ used, limit: 100 }} show={String} />
        ))}
        <LimitUse use={{ used: 12, limit: null }} show={String} />
      </Specimen>
      <Specimen title="A plan" shape="column">
        <PlanUseSection plan={plan} mailboxLimit={5 * 2 ** 30} />
      </Specimen>
      <Specimen title="People">
        {people.map((name) => (
          <Initials key={name} name={name} />
        ))}
        <Initials name="Ana Test" isSelf />
        <Initials name="Sofia Lindqvist" size="large" />
        <Initials name="Aoife O’Brien" size="huge" />
        <Initials name="A picture" size="large" image="/favicon.svg" />
        <Initials name="Broken Picture" size="large" image="/no-such-picture.png" />
      </Specimen>
      <Specimen title="Drawings">
        <MailDrawing />
        <SpoolDrawing />
        <WeaveDrawing />
        <Logo />
      </Specimen>
      <Specimen title="Files, counts, ticks">
        {files.map((type) => (
          <FileIcon key={type} contentType={type} />
        ))}
        <CountBadge count={1_187} label="1,187 mills" />
        <TickBox label="Not ticked" isTicked={false} onTick={() => undefined} />
        <TickBox label="Ticked" isTicked onTick={() => undefined} />
        <TickBox label="Partly ticked" isTicked="mixed" onTick={() => undefined} />
      </Specimen>
      <Specimen title="On the way">
        <Ring />
        <Ring isLarge />
      </Specimen>
      <Specimen title="A page on its way" shape="screen" height={480}>
        <PageSpinner />
      </Specimen>
      <Specimen title="Where something is about to be" shape="column">
        <Placeholder label="Loading the profile">
          <Bar height={28} width="60%" />
          <br />
          <Bar height={120} />
        </Placeholder>
      </Specimen>
      <Specimen title="White paper in both themes">
        <LightPaper>
          <p style={{ margin: 0, padding: '16px' }}>Dear Priya, the second shipment left Tuticorin on Monday.</p>
        </LightPaper>
      </Specimen>
    </>
  );
}
