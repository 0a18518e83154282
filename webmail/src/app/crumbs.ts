const words: Record<string, string> = {
  new: 'New',
  edit: 'Edit',
  view: 'View',
  dashboard: 'Dashboard',
  accountsettings: 'Account settings',
};

export interface Crumb {
  label: string;
  path: string;
}

function isIdLike(segment: string): boolean {
  return /^\d+$/.test(segment) || /^[0-9a-f-]{16,}$/i.test(segment);
}

/** The steps of a path in readable words; segments that are ids are left out. */
export function crumbsOf(address: string): Crumb[] {
  const [pathname = ''] = address.split('?');
  const segments = pathname.split('/').filter(Boolean);
  return segments.flatMap((segment, index) => {
    // the dashboard has no page of its own to go to
    if (isIdLike(segment) || (index === 0 && segment === 'dashboard')) return [];
    const label = words[segment] ?? segment.charAt(0).toUpperCase() + segment.slice(1).replaceAll('_', ' ');
    return [{ label, path: `/${segments.slice(0, index + 1).join('/')}` }];
  });
}
