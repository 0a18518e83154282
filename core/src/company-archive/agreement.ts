import { domainOf } from '../mail/address-rules.ts';
import { OperatorError } from '../operator-error.ts';
import {
  companyFile,
  domainsFile,
  draftFile,
  type GroupsFile,
  groupsFile,
  indexLine,
  isOfCompany,
  type PersonFile,
  personFile,
  personOf,
  rolesFile,
} from './layout.ts';
import { type ArchiveReader, linesOf, type Member, parseAs } from './read-archive.ts';

/**
 * Thrown when each file of an archive is right and they contradict each other, as where the company
 * was changed while its archive was made. Another archive may agree.
 */
export class Disagreement extends OperatorError {}

/** No JSON file names more files. An archive with more was made to fill the memory. */
export const mostWaiting = 2000;

/**
 * Judges the files of JSON as a restore does: each by its schema, and all of them with each other.
 * It takes all files of an archive in their order.
 */
export class Agreement {
  readonly #reader: ArchiveReader;
  readonly #ofCompany = new Set<string>();
  readonly #roles = new Set<number>();
  readonly #provedDomains = new Set<string>();
  /** A person with each role that people have. */
  readonly #roleUses = new Map<number, string>();
  /** An address in each domain that has some. */
  readonly #domainUses = new Map<string, string>();
  readonly #addresses = new Map<string, 'mailbox' | 'alias' | 'group'>();
  /** The files since the last one of JSON, which the next one may name. */
  readonly #waiting = new Map<string, Member>();
  #hasPerson = false;

  constructor(reader: ArchiveReader) {
    this.#reader = reader;
  }

  /** @throws OperatorError naming what does not fit */
  async take(member: Member): Promise<void> {
    const { name } = member;
    if (isOfCompany(name)) return await this.#takeOfCompany(member);
    if (!/\.jsonl?$/.test(name)) {
      this.#waiting.set(name, member);
      if (this.#waiting.size > mostWaiting) throw new OperatorError(`no file of JSON names ${name}`);
      return;
    }
    if (name === 'groups.json') this.#takeGroups(await this.#reader.json(member, groupsFile));
    else if (name.endsWith('/person.json')) this.#takePerson(await this.#reader.json(member, personFile));
    else if (!this.#hasPerson || personOf(name) === null) throw new OperatorError(`${name} belongs to no person`);
    else if (name.endsWith('.jsonl')) await this.#takeIndex(member);
    else {
      const { files } = await this.#reader.json(member, draftFile);
      for (const { file } of files) findFile(this.#waiting, file, name);
    }
    this.#waiting.clear();
  }

  /**
   * Compares the roles and domains that people need with those that there are, once all files are
   * taken.
   * @throws OperatorError naming what is missing
   */
  end(): void {
    for (const name of ['company.json', 'roles.json', 'domains.json']) {
      if (!this.#ofCompany.has(name)) throw new OperatorError(`the archive has no ${name}`);
    }
    for (const [role, email] of this.#roleUses) if (!this.#roles.has(role)) throw new Disagreement(sayNoRole(email));
    for (const [domain, address] of this.#domainUses) {
      if (!this.#provedDomains.has(domain)) throw new Disagreement(sayNoDomain(address));
    }
  }

  async #takeOfCompany(member: Member): Promise<void> {
    const { name } = member;
    if (this.#ofCompany.has(name)) throw new Disagreement(`${name} is there twice`);
    this.#ofCompany.add(name);
    if (name === 'company.json') await this.#reader.json(member, companyFile);
    else if (name === 'roles.json') {
      for (const { number } of await this.#reader.json(member, rolesFile)) this.#roles.add(number);
    } else {
      const domains = await this.#reader.json(member, domainsFile);
      for (const domain of domains) if (domain.verified) this.#provedDomains.add(domain.name);
    }
  }

  #takePerson({ email, role, aliases }: PersonFile): void {
    this.#hasPerson = true;
    this.#roleUses.set(role, email);
    this.#takeAddress(email, 'mailbox');
    for (const address of aliases) this.#takeAddress(address, 'alias');
  }

  #takeGroups({ groups }: GroupsFile): void {
    for (const { address } of groups) this.#takeAddress(address, 'group');
  }

  #takeAddress(address: string, kind: 'mailbox' | 'alias' | 'group'): void {
    const other = this.#addresses.get(address);
    // An alias goes to the last one that has it
    if (other !== undefined && other !== 'alias') throw new Disagreement(`the address ${address} is there twice`);
    this.#addresses.set(address, kind);
    this.#domainUses.set(domainOf(address), address);
  }

  async #takeIndex(index: Member): Promise<void> {
    for (const text of linesOf(await this.#reader.content(index))) {
      const line = parseAs(index.name, text, indexLine);
      const { size } = findFile(this.#waiting, line.file, index.name);
      if (line.trace_bytes > size) throw new OperatorError(sayShort(line.file));
    }
  }
}

/**
 * Finds a file that one of JSON names.
 * @throws OperatorError when it does not come before that one
 */
export function findFile(files: ReadonlyMap<string, Member>, name: string, by: string): Member {
  const member = files.get(name);
  if (member === undefined) throw new OperatorError(`${by} names ${JSON.stringify(name)}, which is not before it`);
  return member;
}

export const sayNoRole = (email: string) => `${email} has a role that roles.json does not have`;
export const sayNoDomain = (address: string) => `${address} is in a domain that domains.json does not have as verified`;
export const sayShort = (file: string) => `${file} is shorter than its own header`;
