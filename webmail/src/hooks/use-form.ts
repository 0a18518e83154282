import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type RefObject, useCallback, useRef, useState } from 'react';
import type { z } from 'zod';
import { notify } from '../components/feedback/notify.ts';
import { ApiError, type Conflict, failureMessage, messageOf } from '../lib/api-error.ts';
import { wordsOf } from '../lib/i18n.ts';
import { focusFirstProblem, type Problems, problemsOf } from '../lib/problems.ts';
import { reportFault } from '../lib/report-fault.ts';
import { useUnsavedWork } from '../lib/unsaved-work.ts';
import { feedbackWords } from '../words/feedback.ts';
import { type KeepAs, readKept, useKeptInput } from './use-kept-input.ts';

/** What a form holds: text, ticks, choices, by the name of the field. */
export type FormValues = Record<string, unknown>;

/**
 * A record that a form changes: what its fields begin with, and the version that the server
 * compares at a save.
 */
export interface FormRecord<V> {
  values: V;
  version: RecordVersion;
}

/** The `version` of a record, which the server compares to see whether it was changed meanwhile. */
export type RecordVersion = number;

export interface FormOptions<V extends FormValues, R> {
  /**
   * What the fields begin with. Read once: what a person has typed is never replaced under their
   * hands.
   */
  start: V;
  /**
   * What was typed before and kept: where it differs from `start`, the form begins with unsaved
   * changes.
   */
  kept?: Partial<V>;
  /** The body's schema of the contract, which the server checks with as well. */
  schema?: z.ZodType;
  /** Checks in place of a schema, or what no schema can say. Problems by field. */
  check?: (values: V) => Problems;
  /** What is checked and sent, where it is not the values themselves. Problems carry its names. */
  toBody?: (values: V) => unknown;
  /**
   * Sends it. `version` is that of the record the form shows, when it has one, and `saved` is what
   * the fields of that record hold.
   */
  submit: (values: V, version: RecordVersion | undefined, saved: V) => Promise<R>;
  /**
   * Runs after the server has taken it; while its promise is open the form is still pending. What
   * it throws is no failure of the form.
   */
  onDone?: (result: R, values: V) => void | Promise<void>;
  /**
   * Runs when the call failed. Gives what the fields hold then, such as an emptied one in place of
   * a wrong code.
   */
  onFailed?: (error: unknown) => Partial<V> | undefined;
  /** The server's fields that have another name in this form: the form's name by the server's. */
  fieldNames?: Record<string, string>;
  /**
   * Labels of what is no control with a name of its own, such as an editor. A conflict names fields
   * by their labels.
   */
  fieldLabels?: Record<string, string>;
  /** Says what failed, where the server gives no words of its own (`failureMessage`). */
  fallback?: string;
  /**
   * The field that shows a failure for which the server names no field. For a form with one field,
   * or where the screen wants the failure at a field.
   */
  failureField?: keyof V & string;
  /** Asked once the values are right, before they are sent; with false nothing is sent. */
  mayBegin?: (() => Promise<boolean>) | undefined;
  /** The version of the record as it was loaded. */
  version?: RecordVersion;
  /**
   * Reads the saved record, for a form that stays open: it goes on from there, with what was typed
   * during the save on top.
   */
  afterSave?: (result: R) => { values: V; version?: RecordVersion };
  /** Reads the record that a 409 brings along, so that the person can go on from it. */
  fromConflict?: (current: unknown) => FormRecord<V>;
  /**
   * What the form is about, in the middle of a sentence. With it, leaving unsaved changes is asked
   * about first.
   */
  unsavedName?: string;
  /** Keeps what was typed when the session ends elsewhere. */
  keepAs?: KeepAs;
}

/**
 * A form: its values, what is wrong with them, and what becomes of them. Fields take it whole and
 * find their part.
 */
export interface Form<V extends FormValues = FormValues> {
  values: V;
  problems: Problems;
  /** What is wrong with all of it, in words for the person. */
  failure: string | null;
  /** Another person saved the record meanwhile. */
  conflict: Conflict | null;
  isDirty: boolean;
  isPending: boolean;
  /**
   * The form is pending and does not go on afterwards: what is typed or chosen now would be thrown
   * away, so its fields take nothing.
   */
  isLocked: boolean;
  /** The server has taken what was sent last, though the form may be pending still. */
  isTaken: boolean;
  /** Calls `end` as soon as the server has taken what was sent, until the answer is called. */
  whenTaken: (end: () => void) => () => void;
  set: <K extends keyof V & string>(name: K, value: V[K]) => void;
  /** Sets these values first, if any are given; then checks the form and sends it. */
  send: (changes?: Partial<V>) => Promise<void>;
  handleSubmit: (event: FormEvent) => void;
  /** Starts over, with other values if they are given. */
  reset: (values?: V) => void;
  /**
   * After a conflict: takes over what the other person saved, and keeps one's own changes on top.
   */
  merge: () => void;
  /** After a conflict: takes over what the other person saved, and drops one's own changes. */
  takeTheirs: () => void;
  /** The record was saved elsewhere in this page: what was typed since `sent` stays on top. */
  goOnFrom: (record: FormRecord<V>, sent: V) => void;
  showProblems: (problems: Problems) => void;
  formRef: RefObject<HTMLFormElement | null>;
}

/** What the frame around a form needs of it, whatever its fields are. */
export type FormFrame = Pick<
  Form,
  | 'formRef'
  | 'handleSubmit'
  | 'isPending'
  | 'isTaken'
  | 'whenTaken'
  | 'isDirty'
  | 'failure'
  | 'conflict'
  | 'merge'
  | 'takeTheirs'
>;

/**
 * What a field needs of its form, so that fields which several forms share name only their own
 * values.
 */
export type FieldForm<V extends FormValues> = Pick<Form<V>, 'values' | 'problems' | 'isPending' | 'isLocked' | 'set'>;

function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** The values that a person has changed. */
function changesOf<V extends FormValues>(values: V, start: V): Partial<V> {
  const changed = Object.entries(values).filter(([name, value]) => !isSame(value, start[name]));
  return Object.fromEntries(changed) as Partial<V>;
}

type Start<V> = { values: V; version?: RecordVersion | undefined };

/** What a form holds and shows, and how it begins anew from a record. */
function useFormState<V extends FormValues>({
  start,
  kept,
  version,
  keepAs,
}: Pick<FormOptions<V, unknown>, 'start' | 'kept' | 'version' | 'keepAs'>) {
  const [typed] = useState(() => readKept(keepAs, start));
  const [record, setRecord] = useState<Start<V>>({ values: start, version: typed.version ?? version });
  const [values, setValues] = useState<V>({ ...start, ...kept, ...typed.input });
  const [problems, setProblems] = useState<Problems>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const set = useCallback(<K extends keyof V & string>(name: K, value: V[K]): void => {
    setValues((old) => ({ ...old, [name]: value }));
    setProblems(({ [name]: _gone, ...rest }) => rest);
  }, []);
  /** Values that were changed since `base` stay on top of the record. */
  const goOnFrom = (next: Start<V>, base: V): void => {
    setRecord(next);
    setValues((now) => ({ ...next.values, ...changesOf(now, base) }));
  };
  const startFrom = (next: Start<V>): void => {
    setRecord(next);
    setValues(next.values);
  };
  const settle = (): void => {
    setProblems({});
    setFailure(null);
    setConflict(null);
  };
  const shown = { problems, setProblems, failure, setFailure, conflict, setConflict };
  return { record, values, setValues, set, goOnFrom, startFrom, settle, ...shown };
}

/**
 * Holds a form's values and sends them, as its contract says. A call that fails leaves what was
 * typed where it is.
 */
export function useForm<V extends FormValues, R>(options: FormOptions<V, R>): Form<V> {
  const state = useFormState(options);
  const { record, values, problems, failure, conflict } = state;
  const client = useQueryClient();
  const [isPending, setPending] = useState(false);
  const formRef = useRef<HTMLFormElement>(null);
  // A second press can come before React has rendered the state of the first
  const isSending = useRef(false);
  const isDirty = !isSame(values, record.values);
  const unsaved = { name: options.unsavedName ?? '', survivesNavigation: false };
  const input = isDirty ? changesOf(values, record.values) : {};
  useKeptInput(options.keepAs, { input, version: record.version });
  const endUnsaved = useUnsavedWork(isDirty && options.unsavedName !== undefined, unsaved);
  const { begin, take, ...taken } = useTaken();

  const showProblems = (found: Problems): void => {
    state.setProblems(found);
    focusFirstProblem(formRef.current, found);
  };
  const fail = (error: unknown): void => {
    const { fields, text, conflict: met } = readFailure(error, options);
    const emptied = options.onFailed?.(error);
    if (emptied) state.setValues((old) => ({ ...old, ...emptied }));
    state.setConflict(met && { ...met, fields: labelsOf(formRef.current, met.fields, options) });
    state.setFailure(text);
    showProblems(fields);
    // The list behind the form still shows the record as it was
    if (met) void client.invalidateQueries();
  };
  const finish = async (result: R, sent: V): Promise<void> => {
    endUnsaved();
    take();
    const saved = options.afterSave?.(result);
    if (saved) state.goOnFrom(saved, sent);
    await options.onDone?.(result, sent);
  };
  const send = async (changes: Partial<V> = {}): Promise<void> => {
    if (isSending.current) return;
    const sent = { ...values, ...changes };
    const found = checkForm(sent, options);
    state.setFailure(null);
    if (Object.keys(found).length > 0) return showProblems(found);
    state.setProblems({});
    isSending.current = true;
    if (options.mayBegin && !(await options.mayBegin())) {
      isSending.current = false;
      return;
    }
    setPending(true);
    begin();
    try {
      const result = await options.submit(sent, record.version, record.values);
      await finish(result, sent).catch(sayUnshown);
    } catch (error) {
      fail(error);
    } finally {
      isSending.current = false;
      setPending(false);
    }
  };
  return {
    values,
    problems,
    failure,
    conflict,
    isDirty,
    isPending,
    isLocked: isPending && options.afterSave === undefined,
    ...taken,
    formRef,
    set: state.set,
    send,
    handleSubmit: (event) => {
      event.preventDefault();
      // A form in a dialog is a portal: its events still rise through the page that opened it
      event.stopPropagation();
      void send();
    },
    ...onRecord(state, options.fromConflict),
    showProblems,
  };
}

/** How a form goes on from a record. */
function onRecord<V extends FormValues>(
  state: ReturnType<typeof useFormState<V>>,
  fromConflict: FormOptions<V, unknown>['fromConflict'],
): Pick<Form<V>, 'reset' | 'merge' | 'takeTheirs' | 'goOnFrom'> {
  const { record, conflict, settle, startFrom, goOnFrom } = state;
  const resolve = (goOn: (theirs: FormRecord<V>) => void): void => {
    const theirs = conflict && fromConflict?.(conflict.current);
    if (!theirs) return;
    settle();
    goOn(theirs);
  };
  return {
    reset: (next = record.values) => {
      settle();
      startFrom({ values: next, version: record.version });
    },
    merge: () => resolve((theirs) => goOnFrom(theirs, record.values)),
    takeTheirs: () => resolve(startFrom),
    goOnFrom,
  };
}

/** Whether the server has taken what was sent last, and who is told at once. */
function useTaken() {
  const [isTaken, setTaken] = useState(false);
  const [ends] = useState(() => new Set<() => void>());
  const whenTaken = useCallback(
    (end: () => void): (() => void) => {
      ends.add(end);
      return () => void ends.delete(end);
    },
    [ends],
  );
  const take = (): void => {
    for (const end of ends) end();
    setTaken(true);
  };
  return { isTaken, whenTaken, take, begin: () => setTaken(false) };
}

/** The server has taken it, so the form must not say that it failed. */
function sayUnshown(fault: unknown): void {
  const t = wordsOf(feedbackWords);
  reportFault(fault);
  notify.failure(t.doneUnshown, { label: t.reload, run: () => window.location.reload() });
}

type Checks<V> = Pick<FormOptions<FormValues & V, unknown>, 'schema' | 'check' | 'toBody'>;

function checkForm<V extends FormValues>(values: V, { schema, check, toBody }: Checks<V>): Problems {
  const bySchema = schema ? problemsOf(schema, toBody ? toBody(values) : values) : {};
  return { ...bySchema, ...check?.(values) };
}

interface Failure {
  fields: Problems;
  text: string | null;
  conflict: Conflict | null;
}

type Naming = Pick<FormOptions<FormValues, unknown>, 'fieldNames' | 'fallback' | 'failureField' | 'start'>;

/**
 * What a failed call means for the form: problems at its fields, and what concerns none of them in
 * one sentence.
 */
function readFailure(error: unknown, options: Naming): Failure {
  const failure = readError(error, options);
  const { text, fields } = failure;
  if (!options.failureField || !text || Object.keys(fields).length > 0) return failure;
  return { ...failure, text: null, fields: { [options.failureField]: text } };
}

function readError(error: unknown, { fieldNames = {}, fallback, start }: Naming): Failure {
  if (!(error instanceof ApiError)) return { fields: {}, text: fallback ?? messageOf(error), conflict: null };
  if (error.conflict) return { fields: {}, text: null, conflict: error.conflict };
  const fields: Problems = {};
  const others: string[] = [];
  for (const [name, problem] of Object.entries(error.fields)) {
    const field = fieldNames[name] ?? name;
    if (field in start) fields[field] = problem;
    else others.push(problem);
  }
  const isAllShown = Object.keys(fields).length > 0 && others.length === 0;
  const general = fallback === undefined ? error.message : failureMessage(error, fallback);
  return { fields, text: isAllShown ? null : others.join(' ') || general || null, conflict: null };
}

/** The labels of fields that the server names; of those that the form does not show, the names. */
function labelsOf(
  form: HTMLElement | null,
  names: string[],
  { fieldNames = {}, fieldLabels = {} }: Pick<FormOptions<FormValues, unknown>, 'fieldNames' | 'fieldLabels'>,
): string[] {
  const fields = [...(form?.querySelectorAll<HTMLInputElement>('[name]') ?? [])];
  return names.map((name) => {
    const own = fieldNames[name] ?? name;
    const label = fields.find((field) => field.name === own)?.labels?.[0];
    // The first node is the label's words, the next one the mark of a required field
    return fieldLabels[own] ?? label?.firstChild?.textContent ?? name;
  });
}
