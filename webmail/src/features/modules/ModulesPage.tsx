import { createModule, listModules, type ModuleDto } from '@selvage/core/contracts/modules';
import { makeStyles, tokens } from '@fluentui/react-components';
import { useState } from 'react';
import type { Column, RowAction } from '../../components/list/columns.ts';
import { ListScreen } from '../../components/list/ListScreen.tsx';
import { fullDay } from '../../lib/format.ts';
import { useWords, wordsOf } from '../../lib/i18n.ts';
import { moduleWords } from '../../words/modules.ts';
import { recordWords } from '../../words/records.ts';
import { DeleteModuleDialog, ModuleDialog, modulesKey } from './module-dialogs.tsx';

const useStyles = makeStyles({
  name: { display: 'inline-flex', alignItems: 'baseline', gap: tokens.spacingHorizontalS, minWidth: 0 },
  quiet: {
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    fontWeight: tokens.fontWeightRegular,
  },
});

function ModuleName({ module: { name, is_built_in: isBuiltIn } }: { module: ModuleDto }) {
  const styles = useStyles();
  const t = useWords(moduleWords);
  return (
    <span className={styles.name}>
      {name}
      {isBuiltIn && <span className={styles.quiet}>{t.builtIn}</span>}
    </span>
  );
}

function columns(): Column<ModuleDto>[] {
  const t = wordsOf(moduleWords);
  return [
    { id: 'name', title: t.module, cell: (module) => <ModuleName module={module} /> },
    { id: 'updatedAt', title: t.date, cell: ({ updatedAt }) => fullDay(updatedAt), isAtEnd: true, width: '180px' },
  ];
}

type Open = { kind: 'form'; module: ModuleDto | null } | { kind: 'delete'; module: ModuleDto } | null;

/** The modules: found, added, renamed and deleted. */
export default function ModulesPage() {
  const t = useWords(moduleWords);
  const r = useWords(recordWords);
  const [open, setOpen] = useState<Open>(null);
  const actionsOf = (module: ModuleDto): RowAction[] => [
    ...(module.abilities.edit ? [{ label: r.edit, run: () => setOpen({ kind: 'form', module }) }] : []),
    ...(module.abilities.delete
      ? [{ label: r.delete, run: () => setOpen({ kind: 'delete', module }), isDangerous: true }]
      : []),
  ];
  const close = (): void => setOpen(null);
  return (
    <>
      <ListScreen
        title={t.title}
        endpoint={listModules}
        queryKey={[...modulesKey, 'list']}
        isNumbered
        searchLabel={t.search}
        columns={columns()}
        keyOf={({ _id }) => _id}
        nameOf={({ name }) => name}
        actionsOf={actionsOf}
        add={{ call: createModule, label: t.addButton, run: () => setOpen({ kind: 'form', module: null }) }}
        empty={{ title: t.none, narrowedTitle: t.noneFound, hint: t.hint }}
      />
      {open?.kind === 'form' && <ModuleDialog module={open.module} onClose={close} />}
      {open?.kind === 'delete' && <DeleteModuleDialog module={open.module} onClose={close} />}
    </>
  );
}
