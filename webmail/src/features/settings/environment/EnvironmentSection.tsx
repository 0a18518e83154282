import type { VariableDto } from '@selvage/core/contracts/environment';
import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FormMessage } from '../../../components/form/FormMessage.tsx';
import { RecordList } from '../../../components/list/RecordList.tsx';
import { Section } from '../../../components/page/Section.tsx';
import { useWords } from '../../../lib/i18n.ts';
import { environmentWords } from '../../../words/environment.ts';
import { DeleteVariableDialog } from './DeleteVariableDialog.tsx';
import { environmentQuery } from './queries.ts';
import { RestartDialog } from './RestartDialog.tsx';
import { RestartState } from './RestartState.tsx';
import { RevealDialog } from './RevealDialog.tsx';
import { VariableDialog } from './VariableDialog.tsx';
import { VariableRow } from './VariableRow.tsx';

const useStyles = makeStyles({
  actions: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS },
});

type Open = { kind: 'add' | 'restart' } | { kind: 'edit' | 'delete' | 'reveal'; variable: VariableDto } | null;

/**
 * A name for a variable and its version. With it, a value that was shown is hidden again once the
 * variable changes.
 */
function stateOf({ _id, version }: VariableDto): string {
  return `${_id} ${version}`;
}

/**
 * Settings of the host, for Super Admins of the provider: variables that replace those of its
 * environment, and the restart that applies them.
 */
export default function EnvironmentSection() {
  const styles = useStyles();
  const t = useWords(environmentWords);
  const { data, error, refetch } = useQuery(environmentQuery);
  const [open, setOpen] = useState<Open>(null);
  const [shown, setShown] = useState<Record<string, string>>({});
  const close = (): void => setOpen(null);
  const hide = (variable: VariableDto): void => setShown(({ [stateOf(variable)]: _gone, ...rest }) => rest);
  return (
    <Section
      title={t.title}
      hint={t.hint}
      action={
        data && (
          <span className={styles.actions}>
            <Button onClick={() => setOpen({ kind: 'add' })}>{t.add}</Button>
            <Button onClick={() => setOpen({ kind: 'restart' })}>{t.restart}</Button>
          </span>
        )
      }
    >
      {data && !data.is_used && <FormMessage intent="warning" text={t.ignored} />}
      {data && <RestartState isNeeded={data.needs_restart} />}
      <RecordList
        label={t.title}
        rows={data?.variables}
        error={error}
        empty={t.none}
        onRetry={() => void refetch()}
        renderRow={(variable) => (
          <VariableRow
            key={variable._id}
            variable={variable}
            shown={shown[stateOf(variable)] ?? null}
            onShow={() => setOpen({ kind: 'reveal', variable })}
            onHide={() => hide(variable)}
            onEdit={() => setOpen({ kind: 'edit', variable })}
            onDelete={() => setOpen({ kind: 'delete', variable })}
          />
        )}
      />
      {open?.kind === 'add' && <VariableDialog settings={data?.settings ?? []} onClose={close} />}
      {open?.kind === 'edit' && (
        <VariableDialog settings={data?.settings ?? []} variable={open.variable} onClose={close} />
      )}
      {open?.kind === 'delete' && <DeleteVariableDialog variable={open.variable} onClose={close} />}
      {open?.kind === 'reveal' && (
        <RevealDialog
          variable={open.variable}
          onShown={(value) => setShown((others) => ({ ...others, [stateOf(open.variable)]: value }))}
          onClose={close}
        />
      )}
      {open?.kind === 'restart' && <RestartDialog single={data?.restart.single ?? []} onClose={close} />}
    </Section>
  );
}
