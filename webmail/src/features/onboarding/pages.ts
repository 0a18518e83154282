import type { Page } from '../../lib/page.ts';

const load = () => import('./OnboardingPage.tsx');

export const onboardingPages: Page[] = ['/required_data', '/dashboard/required_data'].map((path) => ({
  path,
  frame: 'alone',
  title: 'requiredData',
  load,
}));
