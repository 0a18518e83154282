import type { AuthenticationResolver } from './bearable-keys.ts';

/** What the DNS said of one question: records, or the code of its error (ENOTFOUND, ETIMEOUT). */
type Answer = { records: string[] | string[][] } | { code: string };

/** Answers by question. A thread gets them with the message that it checks. */
export type Answers = ReadonlyMap<string, Answer>;

/** A question that none of the answers is for. */
export interface Question {
  name: string;
  type: string;
}

/** Asks the DNS, and keeps what it answers. */
export class AnswerCollector {
  readonly #answers = new Map<string, Answer>();
  readonly #resolver: AuthenticationResolver;

  constructor(resolver: AuthenticationResolver) {
    this.#resolver = resolver;
  }

  get answers(): Answers {
    return this.#answers;
  }

  /** The resolver, whose answers are kept. */
  readonly ask: AuthenticationResolver = async (name, type) => {
    try {
      const records = await this.#resolver(name, type);
      this.#answers.set(keyOf(name, type), { records });
      return records;
    } catch (error) {
      const { code = 'ETIMEOUT' } = error as NodeJS.ErrnoException;
      this.#answers.set(keyOf(name, type), { code });
      throw error;
    }
  };

  /**
   * Asks all these questions at once. DMARC asks a domain and then its parents (RFC 9989 4.10), so
   * these are asked as well.
   */
  async askAll(questions: readonly Question[]): Promise<void> {
    const all = questions.flatMap(withParents).filter(({ name, type }) => !this.#answers.has(keyOf(name, type)));
    await Promise.allSettled(all.map(({ name, type }) => this.ask(name, type)));
  }
}

/** A resolver that asks no name server: it gives these answers, and notes what they lack. */
export function resolverOf(answers: Answers): { resolver: AuthenticationResolver; missing: Question[] } {
  const missing: Question[] = [];
  const resolver: AuthenticationResolver = async (name, type) => {
    const answer = answers.get(keyOf(name, type));
    if (answer === undefined) missing.push({ name, type });
    if (answer && 'records' in answer) return answer.records;
    const code = answer?.code ?? 'ETIMEOUT';
    throw Object.assign(new Error(`${type} of ${name}: ${code}`), { code });
  };
  return { resolver, missing };
}

function keyOf(name: string, type: string): string {
  return `${type} ${name.toLowerCase()}`;
}

const policyPrefix = '_dmarc.';
/** A walk to the parents of a domain asks at most this often (RFC 9989 4.10). */
const mostOfWalk = 8;

function withParents(question: Question): Question[] {
  const { name, type } = question;
  if (!name.startsWith(policyPrefix)) return [question];
  const labels = name
    .slice(policyPrefix.length)
    .split('.')
    .slice(-mostOfWalk + 1);
  return [question, ...labels.map((_, at) => ({ name: `${policyPrefix}${labels.slice(at).join('.')}`, type }))];
}
