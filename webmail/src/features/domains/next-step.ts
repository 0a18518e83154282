import type { DomainDetailDto } from '@selvage/core/contracts/domains';

type Standing = Pick<DomainDetailDto, 'verified' | 'deletedAt' | 'active_status' | 'health' | 'broken_parts'>;

/**
 * What a verified domain lacks in the DNS: its `mail` is to be led here, an error is to be mended
 * (`mend`), or it could be `better`. Null when its DNS is known as good, or nothing can be done for
 * it now.
 */
export function nextStepOf({
  verified,
  deletedAt,
  active_status: isActive,
  health,
  broken_parts: broken,
}: Standing): 'mail' | 'mend' | 'better' | null {
  if (!verified || deletedAt !== null || !isActive || health === 'good') return null;
  if (health === 'warning') return 'better';
  return health === 'unknown' || broken.includes('mx') ? 'mail' : 'mend';
}
