import { type FormEvent, type RefObject, useRef, useState } from 'react';
import type { z } from 'zod';
import { ApiError, type Conflict, messageOf } from '../lib/api-error.ts';
import { focusFirstProblem, type Problems, problemsOf } from '../lib/problems.ts';
import { useUnsavedWork } from '../lib/unsaved-work.ts';

/** What a form holds: text, ticks, choices, by the name of the field. */
export type FormValues = Record<string, unknown>;

/** A record that a form changes: what its fields begin with, and the version that the server compares at a save. */
export interface FormRecord<V> {
  values: V;
  version: string;
}

export interface FormOptions<V extends FormValues, R> {
  /** What the fields begin with. Read once: what a person has typed is never replaced under their hands. */
  start: V;
  /** The body's schema of the contract, which the server checks with as well. */
  schema?: z.ZodType;
  /** Checks in place of a schema, or what no schema can say. Problems by field. */
  check?: (values: V) => Problems;
  /** What is checked and sent, where it is not the values themselves. Problems carry its names. */
  toBody?: (values: V) => unknown;
  /** Sends it. `version` is that of the record the form shows, when it has one. */
  submit: (values: V, version: string | undefined) => Promise<R>;
  /** Runs after the server has taken it; while its promise is open the form is still pending. */
  onDone?: (result: R, values: V) => void | Promise<void>;
  /** Names of the server's fields that the form calls otherwise. */
  fieldNames?: Record<string, string>;
  /** Words for a failure without any, such as the spec's fallback. */
  fallback?: string;
  /** The version of the record as it was loaded. */
  version?: string;
  /** Reads the record that a 409 brings along, so that the person can go on from it. */
  fromConflict?: (current: unknown) => FormRecord<V>;
  /** What the form is about, in the middle of a sentence. With it, leaving unsaved changes is asked about first. */
  unsavedName?: string;
}

/** A form: its values, what is wrong with them, and what becomes of them. Fields take it whole and find their part. */
export interface Form<V extends FormValues = FormValues> {
  values: V;
  problems: Problems;
  /** What is wrong with all of it, in words for the person. */
  failure: string | null;
  /** Somebody else saved the record meanwhile. */
  conflict: Conflict | null;
  isDirty: boolean;
  isPending: boolean;
  set: <K extends keyof V & string>(name: K, value: V[K]) => void;
  /** Checks and sends. */
  send: () => Promise<void>;
  handleSubmit: (event: FormEvent) => void;
  /** Starts over, with other values if they are given. */
  reset: (values?: V) => void;
  /** After a conflict: takes over what the other person saved, and keeps one's own changes on top. */
  merge: () => void;
  /** After a conflict: takes over what the other person saved, and drops one's own changes. */
  takeTheirs: () => void;
  showProblems: (problems: Problems) => void;
  formRef: RefObject<HTMLFormElement | null>;
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** The values that a person has changed. */
function changesOf<V extends FormValues>(values: V, start: V): Partial<V> {
  const changed = Object.entries(values).filter(([name, value]) => !isSame(value, start[name]));
  return Object.fromEntries(changed) as Partial<V>;
}

/** Holds a form's values and sends them, as its contract says. A call that fails leaves what was typed where it is. */
export function useForm<V extends FormValues, R>(options: FormOptions<V, R>): Form<V> {
  const [record, setRecord] = useState({ values: options.start, version: options.version });
  const [values, setValues] = useState(options.start);
  const [problems, setProblems] = useState<Problems>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const [isPending, setPending] = useState(false);
  const formRef = useRef<HTMLFormElement>(null);
  const isDirty = !isSame(values, record.values);
  const unsaved = { name: options.unsavedName ?? '', survivesNavigation: false };
  const endUnsaved = useUnsavedWork(isDirty && options.unsavedName !== undefined, unsaved);

  const showProblems = (found: Problems): void => {
    setProblems(found);
    focusFirstProblem(formRef.current, found);
  };
  const fail = (error: unknown): void => {
    const { fields, text, conflict: met } = readFailure(error, options);
    setConflict(met);
    setFailure(text);
    showProblems(fields);
  };
  const send = async (): Promise<void> => {
    if (isPending) return;
    const found = checkForm(values, options);
    setFailure(null);
    if (Object.keys(found).length > 0) return showProblems(found);
    setProblems({});
    setPending(true);
    try {
      const result = await options.submit(values, record.version);
      endUnsaved();
      await options.onDone?.(result, values);
    } catch (error) {
      fail(error);
    } finally {
      setPending(false);
    }
  };
  const startFrom = (next: { values: V; version?: string | undefined }, kept: Partial<V> = {}): void => {
    setRecord({ values: next.values, version: next.version });
    setValues({ ...next.values, ...kept });
    setProblems({});
    setFailure(null);
    setConflict(null);
  };
  const theirs = (): FormRecord<V> | null => (conflict ? (options.fromConflict?.(conflict.current) ?? null) : null);

  return {
    values,
    problems,
    failure,
    conflict,
    isDirty,
    isPending,
    formRef,
    set: (name, value) => {
      setValues((old) => ({ ...old, [name]: value }));
      setProblems(({ [name]: _gone, ...rest }) => rest);
    },
    send,
    handleSubmit: (event) => {
      event.preventDefault();
      // a form in a dialog is a portal: its events still rise through the page that opened it
      event.stopPropagation();
      void send();
    },
    reset: (next = record.values) => startFrom({ values: next, version: record.version }),
    merge: () => {
      const next = theirs();
      if (next) startFrom(next, changesOf(values, record.values));
    },
    takeTheirs: () => {
      const next = theirs();
      if (next) startFrom(next);
    },
    showProblems,
  };
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

/** What a failed call means for the form: problems at its fields, and what concerns none of them in one sentence. */
function readFailure(
  error: unknown,
  { fieldNames = {}, fallback, start }: Pick<FormOptions<FormValues, unknown>, 'fieldNames' | 'fallback' | 'start'>,
): Failure {
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
  return { fields, text: isAllShown ? null : others.join(' ') || error.message || fallback || null, conflict: null };
}
