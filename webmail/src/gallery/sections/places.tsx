import { Button } from '@fluentui/react-components';
import { Crash } from '../../app/router/Crash.tsx';
import { MailDrawing } from '../../components/drawings.tsx';
import { Forbidden } from '../../components/page/Forbidden.tsx';
import { Gone } from '../../components/page/Gone.tsx';
import { LoadError } from '../../components/page/LoadError.tsx';
import { StatusPage } from '../../components/page/StatusPage.tsx';
import { ApiError } from '../../lib/api-error.ts';
import { Specimen } from '../Specimen.tsx';

const HEIGHT = 320;

export function Places() {
  return (
    <>
      <Specimen title="Empty" shape="screen" height={HEIGHT}>
        <StatusPage
          icon={<MailDrawing />}
          title="No emails found"
          hint="New messages appear here by themselves."
          action={<Button>Write a message</Button>}
        />
      </Specimen>
      <Specimen title="Failed" shape="screen" height={HEIGHT}>
        <LoadError error={new ApiError('The database is away.', { status: 500 })} onRetry={() => undefined} />
      </Specimen>
      <Specimen title="Not allowed" shape="screen" height={HEIGHT}>
        <Forbidden />
      </Specimen>
      <Specimen title="No longer there" shape="screen" height={HEIGHT} path="/dashboard/company/7">
        <Gone />
      </Specimen>
      <Specimen title="Broken" shape="screen">
        <Crash isMissing={false} />
      </Specimen>
      <Specimen title="Could not be fetched" shape="screen">
        <Crash isMissing />
      </Specimen>
    </>
  );
}
