import type { DomainDetailDto } from '@selvage/core/contracts/domains';

/** For how long the host looks for the proof of a domain by itself. */
const LOOKED_FOR_MS = 30 * 86_400_000;

/** Whether the host still looks for the proof of a domain by itself. */
export const isLookedFor = ({ createdAt }: Pick<DomainDetailDto, 'createdAt'>, now = new Date()): boolean =>
  now.getTime() - Date.parse(createdAt) < LOOKED_FOR_MS;
