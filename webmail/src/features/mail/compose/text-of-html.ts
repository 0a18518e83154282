import { LineWriter } from '@selvage/core/mail/line-writer';
import { parseSanitized } from '../../../lib/sanitize.ts';

/** The words of HTML, line by line. Each line of a quotation begins with `> `. */
export function textOfHtml(html: string): string {
  const writer = new LineWriter();
  addChildren(writer, parseSanitized(html, { forbid: ['style'] }).body);
  return writer.text();
}

function addChildren(writer: LineWriter, parent: Node): void {
  for (const node of parent.childNodes) {
    if (node instanceof Text) writer.add(node.data);
    else if (node instanceof Element) addElement(writer, node);
  }
}

function addElement(writer: LineWriter, element: Element): void {
  const attributes = Array.from(element.attributes, ({ name, value }) => [name, value] as const);
  writer.open(element.tagName.toLowerCase(), Object.fromEntries(attributes));
  addChildren(writer, element);
  writer.close();
}
