import { problemWords } from '@selvage/core/contracts/problem-words';
import type { z } from 'zod';

export type Problems = Record<string, string>;

/**
 * The problems that a contract's schema finds in a form: the first one of each field, in the words
 * of the server.
 */
export function problemsOf(schema: z.ZodType, values: unknown): Problems {
  const problems: Problems = {};
  const result = schema.safeParse(values, { error: problemWords });
  for (const issue of result.error?.issues ?? []) problems[issue.path.map(String).join('.')] ??= issue.message;
  return problems;
}

/** Puts the focus on the first field that is wrong, in the order of the form. */
export function focusFirstProblem(form: HTMLElement | null, problems: Problems): void {
  const fields = form?.querySelectorAll<HTMLElement>('[name]') ?? [];
  [...fields].find((field) => (field.getAttribute('name') ?? '') in problems)?.focus();
}
