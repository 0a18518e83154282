import { type ESTree, parseSync, Visitor } from 'vite';

/**
 * Props of a component, and keys of an object, whose values a person reads. `title` of an object
 * may be a page's name in the catalogue.
 */
const TEXT_PROPS = /^(aria-label|aria-description|title|placeholder|hint|text|tip|alt|label|\w+Label)$/;
const TEXT_KEYS = /^(aria-label|placeholder|hint|text|tip|label|\w+Label|said|fallback|unsavedName)$/;
const LETTER = /\p{L}/u;
/** Begins like a sentence: a word with a capital letter, then another word. */
const SENTENCE = /^\p{Lu}[\p{Ll}’']+ \p{Ll}/u;

type Node = ESTree.Node;

/**
 * The texts that stand in a module: in JSX, in what components and objects are given to show, in
 * toasts, and what reads like a sentence anywhere, such as the problem of a field. The message of
 * an error is for developers, and not one of them. What oxlint's `react/jsx-no-literals` finds is
 * among them; it sees neither texts with values in them nor those that a condition chooses.
 * @returns each with its line, as `12: Copied`
 */
export function findTexts(path: string, code: string): string[] {
  const found = new Map<number, string>();
  const messages = new Set<number>();
  const look = (node: Node | null | undefined): void => {
    for (const literal of literalsOf(node)) if (LETTER.test(literal.text)) found.set(literal.start, literal.text);
  };
  const lookForSentence = (node: Node): void => {
    for (const { start, text } of literalsOf(node))
      if (SENTENCE.test(text) && !messages.has(start)) found.set(start, text);
  };
  const leaveOut = (node: Node): void => {
    for (const { start } of literalsOf(node)) messages.add(start);
  };
  const visitor = new Visitor({
    JSXText: ({ start, value }) => {
      if (LETTER.test(value)) found.set(start, value);
    },
    JSXElement: ({ children }) => children.forEach(lookInside),
    JSXFragment: ({ children }) => children.forEach(lookInside),
    JSXAttribute: ({ name, value }) => {
      if (name.type === 'JSXIdentifier' && TEXT_PROPS.test(name.name)) look(value);
    },
    Literal: lookForSentence,
    TemplateLiteral: lookForSentence,
    NewExpression: ({ callee, arguments: given }) => {
      if (callee.type === 'Identifier' && callee.name.endsWith('Error')) given.forEach(leaveOut);
    },
    Property: ({ key, value }) => {
      const name = key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : '';
      if (TEXT_KEYS.test(name)) look(value);
    },
    AssignmentExpression: ({ left, right }) => {
      const property =
        left.type === 'MemberExpression' && left.property.type === 'Identifier' ? left.property.name : '';
      if (property === 'textContent') look(right);
    },
    CallExpression: ({ callee, arguments: given }) => {
      const [first, second] = given;
      if (callee.type === 'Super') given.forEach(leaveOut);
      const object = callee.type === 'MemberExpression' ? callee.object : callee;
      if (object.type !== 'Identifier' || object.name !== 'notify') return;
      // `notify.news(kind, text)` is the one whose text comes second
      const isNews = callee.type === 'MemberExpression' && 'name' in callee.property && callee.property.name === 'news';
      look(isNews ? second : first);
    },
  });
  function lookInside(child: Node): void {
    if (child.type === 'JSXExpressionContainer') look(child.expression);
  }
  visitor.visit(parseSync(path, code).program);
  return [...found].map(([start, text]) => `${code.slice(0, start).split('\n').length}: ${text.trim()}`);
}

/**
 * The texts that an expression may give: itself, the branches of a condition, the parts of a sum.
 */
function literalsOf(node: Node | null | undefined): { start: number; text: string }[] {
  switch (node?.type) {
    case 'Literal':
      return typeof node.value === 'string' ? [{ start: node.start, text: node.value }] : [];
    case 'TemplateLiteral':
      return [
        ...node.quasis.map(({ start, value }) => ({ start, text: value.cooked ?? '' })),
        ...node.expressions.flatMap(literalsOf),
      ];
    case 'ConditionalExpression':
      return [...literalsOf(node.consequent), ...literalsOf(node.alternate)];
    case 'LogicalExpression':
      return [...literalsOf(node.left), ...literalsOf(node.right)];
    case 'BinaryExpression':
      return node.operator === '+' ? [...literalsOf(node.left), ...literalsOf(node.right)] : [];
    case 'AssignmentPattern':
      return literalsOf(node.right);
    case 'JSXExpressionContainer':
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
      return literalsOf(node.expression);
    default:
      return [];
  }
}
