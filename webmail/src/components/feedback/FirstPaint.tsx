import { useWords } from '../../lib/i18n.ts';
import { productWords } from '../../words/product.ts';

/**
 * The name of the product, exactly as `index.html` shows it until the script has arrived. It stays
 * until there is a screen to show: on a slow line the page would be empty in between.
 */
export function FirstPaint() {
  const { name } = useWords(productWords);
  return (
    <div className="first-paint">
      <img src="/favicon.svg" alt="" width="40" height="40" /> {name}
    </div>
  );
}
