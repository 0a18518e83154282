import type { PlanLimitsDto } from '@selvage/core/contracts/plan';
import type { FieldForm } from '../../hooks/use-form.ts';
import { cleanDigits } from '../../lib/clean.ts';
import { useWords } from '../../lib/i18n.ts';
import { bytesOf, countOf, gigabytesOf } from '../../lib/limits.ts';
import { limitWords } from '../../words/limits.ts';
import { FieldPair, TextField } from './fields.tsx';

/** What stands in the fields of a plan. */
type PlanTexts = Record<keyof PlanLimitsDto, string>;

/** The fields of a plan without limits. */
export const noLimits: PlanTexts = { max_users: '', max_domains: '', storage_limit: '', mailbox_limit: '' };

/** The fields of a plan. */
export function planTexts(limits: PlanLimitsDto): PlanTexts {
  return {
    max_users: limits.max_users?.toString() ?? '',
    max_domains: limits.max_domains?.toString() ?? '',
    storage_limit: gigabytesOf(limits.storage_limit),
    mailbox_limit: gigabytesOf(limits.mailbox_limit),
  };
}

/** The limits that the fields mean. */
export function limitsOf(texts: PlanTexts, before?: PlanLimitsDto): PlanLimitsDto {
  return {
    max_users: countOf(texts.max_users),
    max_domains: countOf(texts.max_domains),
    storage_limit: bytesOf(texts.storage_limit, before?.storage_limit),
    mailbox_limit: bytesOf(texts.mailbox_limit, before?.mailbox_limit),
  };
}

/** The values of a form with the limits that its fields mean. */
export function withLimits<T extends PlanTexts>(values: T, isProvider: boolean, before?: PlanLimitsDto) {
  const { max_users, max_domains, storage_limit, mailbox_limit, ...others } = values;
  const limits: Partial<PlanLimitsDto> = isProvider
    ? limitsOf({ max_users, max_domains, storage_limit, mailbox_limit }, before)
    : {};
  // Only people of the provider see the limits, and only they may send them
  return { ...others, ...limits };
}

/** What a company may have; for people of the provider. */
export function PlanFields({ form }: { form: FieldForm<PlanTexts> }) {
  const t = useWords(limitWords);
  const hint = t.noLimit;
  const count = { form, inputMode: 'numeric', maxLength: 7, clean: cleanDigits, hint } as const;
  const size = { form, inputMode: 'decimal', maxLength: 12 } as const;
  return (
    <FieldPair>
      <TextField {...count} name="max_users" label={t.maxUsers} />
      <TextField {...count} name="max_domains" label={t.maxDomains} />
      <TextField {...size} name="storage_limit" label={t.storageLimit} hint={hint} />
      <TextField {...size} name="mailbox_limit" label={t.mailboxLimit} hint={t.mailboxHint} />
    </FieldPair>
  );
}
