import type { DomainDetailDto } from '@selvage/core/contracts/domains';

type Standing = Pick<DomainDetailDto, 'verified' | 'deletedAt' | 'active_status' | 'health'>;

/**
 * What a verified domain lacks in the DNS: its `mail` is to be led here, or it could be `better`.
 * Null when its DNS is known as good, or nothing can be done for it now.
 */
export function nextStepOf({
  verified,
  deletedAt,
  active_status: isActive,
  health,
}: Standing): 'mail' | 'better' | null {
  if (!verified || deletedAt !== null || !isActive || health === 'good') return null;
  return health === 'warning' ? 'better' : 'mail';
}
