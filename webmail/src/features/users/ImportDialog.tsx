import { type ImportDto, importColumns, importUsers } from '@selvage/core/contracts/many-users';
import { Button, Field } from '@fluentui/react-components';
import { useRef, useState } from 'react';
import { DialogFrame } from '../../components/dialog/DialogFrame.tsx';
import { useFirstCompany } from '../../components/form/CompanyField.tsx';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import { RecordPicker } from '../../components/form/RecordPicker.tsx';
import { Ring } from '../../components/feedback/Ring.tsx';
import { useChanged } from '../../hooks/use-changed.ts';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/api-error.ts';
import { companyRecords, hasCompanyChoice } from '../../lib/companies.ts';
import { toCsv } from '../../lib/csv.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { useWords } from '../../lib/i18n.ts';
import { usersKey } from '../../lib/record-keys.ts';
import { saveFile } from '../../lib/save-file.ts';
import { uniqueId } from '../../lib/unique-id.ts';
import { useUnsavedWork } from '../../lib/unsaved-work.ts';
import { manyUserWords } from '../../words/many-users.ts';
import { FilePick } from './FilePick.tsx';
import { importOnce, isAnswerLost } from './import-once.ts';
import { ImportedDialog } from './ImportedDialog.tsx';
import { ImportProblems } from './ImportProblems.tsx';
import { ImportProgress } from './ImportProgress.tsx';

type Added = NonNullable<ImportDto['added']>;

const titles = importColumns.map(({ title }) => title);

/** Adds the users of a CSV file: chosen, checked, added, and their passwords handed over. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const [added, setAdded] = useState<Added | null>(null);
  if (added) return <ImportedDialog added={added} onClose={onClose} />;
  return <ImportForm onAdded={setAdded} onClose={onClose} />;
}

/** What is under way: the trial of a file, or adding its users under the name of the import. */
type Work = { kind: 'check'; fileName: string } | { kind: 'add'; importId: string; people: number } | null;

/**
 * With `isUnsure` the users may have been added, and the same import gives their passwords once
 * more.
 */
type Failure = { text: string; isUnsure: boolean } | null;

function ImportForm({ onAdded, onClose }: { onAdded: (added: Added) => void; onClose: () => void }) {
  const t = useWords(manyUserWords);
  const hasChoice = hasCompanyChoice(useCurrentUser());
  const tellChanged = useChanged(usersKey);
  const [companyId, setCompanyId] = useState(useFirstCompany());
  const [file, setFile] = useState<File | null>(null);
  const [trial, setTrial] = useState<ImportDto | null>(null);
  const [failure, setFailure] = useState<Failure>(null);
  const [work, setWork] = useState<Work>(null);
  // The answer for a file that another one has replaced is not shown
  const turn = useRef(0);
  // The same as long as the file is: the server then gives an answer again that was lost
  const importId = useRef('');

  const attempt = async (doing: NonNullable<Work>, call: () => Promise<void>): Promise<void> => {
    setFailure(null);
    setWork(doing);
    turn.current += 1;
    const mine = turn.current;
    try {
      await call();
    } catch (error) {
      const isUnsure = doing.kind === 'add' && isAnswerLost(error);
      if (turn.current === mine) setFailure({ text: isUnsure ? t.answerLost : messageOf(error), isUnsure });
    } finally {
      if (turn.current === mine) setWork(null);
    }
  };
  const check = (picked: File): void => {
    setFile(picked);
    setTrial(null);
    importId.current = uniqueId();
    void attempt({ kind: 'check', fileName: picked.name }, async () => {
      const mine = turn.current;
      const found = await api(importUsers, { body: { companyId, dry_run: 'true' }, files: [picked] });
      if (turn.current === mine) setTrial(found);
    });
  };
  /** What is found in a file for one company says nothing of another one. */
  const forgetFile = (): void => {
    turn.current += 1;
    setWork(null);
    setFailure(null);
    setTrial(null);
    setFile(null);
  };
  const add = (): void => {
    if (!file || !trial || work) return;
    const body = { companyId, import_id: importId.current };
    void attempt({ kind: 'add', importId: importId.current, people: trial.people }, async () => {
      const { added } = await importOnce(() => api(importUsers, { body, files: [file] }));
      onAdded(added ?? []);
      await tellChanged(t.addedTitle(added?.length ?? 0));
    });
  };
  const isReady = trial !== null && trial.problemCount === 0 && trial.people > 0;
  const isAdding = work?.kind === 'add';
  const isUnsure = failure?.isUnsure === true;
  useUnsavedWork(isAdding || isUnsure, { name: t.unsaved, survivesNavigation: false });
  return (
    <DialogFrame
      title={t.importTitle}
      isBusy={isAdding}
      isDirty={isUnsure}
      onClose={onClose}
      actions={
        <>
          <Button disabledFocusable={isAdding} onClick={onClose}>
            {t.cancel}
          </Button>
          <Button
            appearance="primary"
            disabledFocusable={!isReady || work !== null}
            icon={isAdding ? <Ring /> : undefined}
            onClick={add}
          >
            {isAdding ? t.adding : isReady ? t.add(trial.people) : t.addAny}
          </Button>
        </>
      }
    >
      <FormMessage text={failure?.text ?? null} />
      <span>{t.importIntro({ columns: titles.join(', ') })}</span>
      <div>
        <Button onClick={() => saveFile(t.templateName, new Blob([toCsv([titles])], { type: 'text/csv' }))}>
          {t.template}
        </Button>
      </div>
      {hasChoice && (
        <Field label={t.company} required>
          <RecordPicker
            records={companyRecords}
            value={companyId}
            isDisabled={isAdding}
            onPick={(id) => {
              setCompanyId(id);
              forgetFile();
            }}
          />
        </Field>
      )}
      <FilePick
        label={t.file}
        chooseLabel={companyId === '' ? t.chooseCompany : file ? t.otherFile : t.chooseFile}
        fileName={file?.name}
        isDisabled={companyId === '' || isAdding}
        onPick={check}
      />
      <div role="status">
        {work?.kind === 'check' && t.checking({ name: work.fileName })}
        {trial && !isAdding && <Verdict trial={trial} />}
      </div>
      {trial && trial.guessed.length > 0 && (
        <FormMessage intent="warning" text={t.guessed({ values: trial.guessed.join(', ') })} />
      )}
      {trial && trial.suspended > 0 && <FormMessage intent="warning" text={t.suspended(trial.suspended)} />}
      {trial && trial.left_out.length > 0 && (
        <FormMessage intent="info" text={t.leftOut({ columns: trial.left_out.join(', ') })} />
      )}
      {work?.kind === 'add' && <ImportProgress importId={work.importId} people={work.people} />}
      {trial && trial.problemCount > 0 && <ImportProblems problems={trial.problems} />}
    </DialogFrame>
  );
}

/** What the trial of a file came to. */
function Verdict({ trial: { people, problemCount, problems } }: { trial: ImportDto }) {
  const t = useWords(manyUserWords);
  if (problemCount > 0) {
    const cut = problemCount > problems.length ? ` ${t.badCut({ shown: problems.length })}` : '';
    return <>{`${t.bad(problemCount)}${cut}`}</>;
  }
  return <>{people === 0 ? t.noUsers : `${t.good(people)} ${t.passwords}`}</>;
}
