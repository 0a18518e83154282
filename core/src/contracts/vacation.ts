import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { day, startVersion, timeZone } from './fields.ts';

const fields = {
  is_on: z.boolean(),
  /** If empty, the answer has the subject of the message, after `Auto: `. */
  subject: z
    .string()
    .trim()
    .max(200, 'At most 200 characters')
    .refine((text) => !/\p{Cc}/u.test(text), 'One line without control characters'),
  /** Plain text. */
  body: z.string().trim().max(10_000, 'At most 10,000 characters'),
  /** In the time zone of the person; null for no beginning. */
  first_day: day.nullable(),
  /** Null for no end. */
  last_day: day.nullable(),
  time_zone: timeZone,
};

/** What the form of the vacation reply sends. */
export const vacationForm = z
  .object({
    ...fields,
    /** Whether only people of the company and those written to before get an answer (D68). */
    only_known: z.boolean().default(false),
    version: startVersion,
  })
  .refine(({ is_on: isOn, body }) => !isOn || body !== '', {
    error: 'Please enter the text of the reply',
    path: ['body'],
  })
  .refine(({ first_day: first, last_day: last }) => first === null || last === null || first <= last, {
    error: 'The last day is before the first one',
    path: ['last_day'],
  });

/** The answer of a person who is away (D47). */
export const vacationDto = z.object({
  ...fields,
  only_known: z.boolean(),
  /** `planned`: on, but not begun. `over`: on, but the last day has passed. */
  state: z.enum(['off', 'planned', 'active', 'over']),
  /** Raised by each change; a form sends it back. */
  version: z.number().int(),
});
export type VacationDto = z.infer<typeof vacationDto>;

export const getVacation = endpoint({
  method: 'GET',
  path: '/mailsetting/vacation',
  summary: 'What the host answers while the caller is away',
  needs: 'self',
  answer: vacationDto,
});

export const setVacation = endpoint({
  method: 'PUT',
  path: '/mailsetting/vacation',
  summary: 'Writes what the host answers while the caller is away, and switches it on or off (D47)',
  needs: { model: 'accountsettings', action: 'edit' },
  body: vacationForm,
  answer: vacationDto,
});

export const stopVacation = endpoint({
  method: 'POST',
  path: '/mailsetting/vacation/off',
  summary: 'Switches the answer off; its text stays for the next time',
  needs: { model: 'accountsettings', action: 'edit' },
  answer: vacationDto,
});
