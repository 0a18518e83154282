import { z } from 'zod';

/** 1 MB: no message of common length fits into less. */
const leastBytes = 1_048_576;
/** 1 PB, which every number of JavaScript holds exactly. */
const mostBytes = 1_125_899_906_842_624;
const mostThings = 1_000_000;

/** A limit in bytes; null for none. */
export const byteLimit = z
  .number({ error: 'Must be a number' })
  .int('Must be a whole number of bytes')
  .min(leastBytes, 'Must be at least 1 MB')
  .max(mostBytes, 'Must be at most 1,048,576 GB')
  .nullable();

const countLimit = z
  .number({ error: 'Must be a number' })
  .int('Must be a whole number')
  .min(1, 'Must be at least 1')
  .max(mostThings, 'Must be at most 1,000,000')
  .nullable();

/** What a company may have; null for any number. People of the provider set it. */
export const planLimits = z.object({
  /** People that are not deleted. */
  max_users: countLimit,
  /** Domains that are not deleted. */
  max_domains: countLimit,
  /** Bytes in all mailboxes together. */
  storage_limit: byteLimit,
  /** Bytes in the mailbox of each person without a limit of their own. */
  mailbox_limit: byteLimit,
});
export type PlanLimitsDto = z.infer<typeof planLimits>;

/** How much there is, and the most that there may be; null for any number. */
export const usedOfLimit = z.object({ used: z.number().int(), limit: z.number().int().nullable() });

/** How much of its plan a company uses; storage in bytes. */
export const planUse = z.object({ users: usedOfLimit, domains: usedOfLimit, storage: usedOfLimit });
export type PlanUse = z.infer<typeof planUse>;

/** Bytes in a person's mailbox, and what is full, if anything. */
export const mailboxUse = usedOfLimit.extend({ full: z.enum(['mailbox', 'company']).nullable() });
export type MailboxUse = z.infer<typeof mailboxUse>;
