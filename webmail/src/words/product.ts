import { words } from '../lib/i18n.ts';

/** What the product is called. */
export const productWords = words('product', { name: 'Selvage' });
