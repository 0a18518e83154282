import { encodePassword } from '@selvage/core/contracts/fields';
import type { PasskeyDto } from '@selvage/core/contracts/two-factor';
import { AuditEvent } from '@selvage/core/models/audit-event';
import { Passkey } from '@selvage/core/models/passkey';
import { Session } from '@selvage/core/models/session';
import { User } from '@selvage/core/models/user';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Transaction } from 'sequelize';
import { beforeAll, describe, expect, it } from 'vitest';
import { stopAtEnd } from '../../../tests/support/end-of-file.ts';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { rollBackOnce } from '../../../tests/support/roll-back-once.ts';
import { type Answer, startTestServer, type TestServer } from '../test-server.ts';
import { attestByAndroid, attestSelf } from './test-attestations.ts';
import { type Attest, TestAuthenticator } from './test-authenticator.ts';
import { begin, codeOf, cookieOf, latestNotice, logIn, turnOn } from './test-two-factor.ts';

let server: TestServer;
let site: { origin: string; rpId: string };

beforeAll(async () => {
  server = await startTestServer();
  const { origin, hostname } = new URL(server.app.config.url);
  site = { origin, rpId: hostname };
});

interface Options {
  challenge: string;
  rp?: { id: string };
  rpId?: string;
  excludeCredentials?: { id: string }[];
  allowCredentials?: { id: string }[];
}

/** A person with two-factor on. */
interface Owner {
  person: Mailbox;
  token: string;
  secret: string;
}

async function registrationOptions({ person: { user, password }, token, secret }: Owner): Promise<Options> {
  await User.update({ twoFactorLastStep: 0 }, { where: { id: user.id } });
  const body = { password: encodePassword(password), otp: codeOf(secret) };
  const answer = await server.call('POST', '/user/passkeys/options', { token, body });
  return answer.body.data as Options;
}

async function add(owner: Owner, key: TestAuthenticator, request: object = {}, attest?: Attest): Promise<Answer> {
  const { challenge } = await registrationOptions(owner);
  return await sendNew(owner, key.create({ ...site, challenge, ...request }, attest));
}

async function sendNew({ token }: Owner, response: object): Promise<Answer> {
  return await server.call('POST', '/user/passkeys', { token, body: { passkey_name: 'My key', response } });
}

async function personWithKey() {
  const person = await buildMailbox(server.app);
  const owner = { person, ...(await turnOn(server, person)) };
  const key = new TestAuthenticator();
  const added = await add(owner, key);
  return { ...owner, owner, key, added, id: (added.body.data as PasskeyDto)._id };
}

async function challengeFor(cookie: string): Promise<Options> {
  const answer = await server.call('POST', '/user/passkeys/sign_in_options', { headers: { cookie } });
  return answer.body.data as Options;
}

const verify = (cookie: string, response: unknown) =>
  server.call('POST', '/user/verify_passkey', { headers: { cookie }, body: { response } });

const countOf = (person: Mailbox, action: string) => AuditEvent.count({ where: { entityId: person.user.id, action } });

describe('a proof by passkey', () => {
  const confirm = (token: string, body: object) => server.call('POST', '/user/confirm', { token, body });

  async function proofFor({ token, key }: { token: string; key: TestAuthenticator }, request: object = {}) {
    const answer = await server.call('POST', '/user/passkeys/confirm_options', { token });
    const { challenge } = answer.body.data as Options;
    return { options: answer.body.data, response: key.get({ ...site, challenge, ...request }) };
  }

  async function provedAt({ person }: { person: Mailbox }) {
    return (await Session.findOne({ where: { userId: person.user.id } }))?.confirmedAt ?? null;
  }

  async function ownerOf(isVerifying: boolean) {
    const owner = await personWithKey();
    owner.key.isVerifying = isVerifying;
    await Session.update({ confirmedAt: null }, { where: { userId: owner.person.user.id } });
    return owner;
  }

  it('needs no password when the device has checked the person', async () => {
    const owner = await ownerOf(true);
    const { options, response } = await proofFor(owner);
    expect(options).toMatchObject({ userVerification: 'preferred', rpId: site.rpId, allowCredentials: [{}] });
    expect((await confirm(owner.token, { response })).status).toBe(200);
    expect(await provedAt(owner)).not.toBeNull();
    // The challenge is used up
    expect((await confirm(owner.token, { response })).body.errors).toHaveProperty('response');
  });

  it('needs the password as well when the passkey only has to be touched', async () => {
    const owner = await ownerOf(false);
    const alone = await confirm(owner.token, { response: (await proofFor(owner)).response });
    expect([alone.status, alone.body.errors]).toEqual([
      422,
      { password: 'Your passkey does not check who uses it. Enter your password too, and use the passkey again.' },
    ]);
    const wrong = { password: encodePassword('another pass phrase'), response: (await proofFor(owner)).response };
    expect((await confirm(owner.token, wrong)).body.errors).toEqual({ password: 'The password is wrong.' });
    expect(await provedAt(owner)).toBeNull();
    const right = { password: encodePassword(owner.person.password), response: (await proofFor(owner)).response };
    expect((await confirm(owner.token, right)).status).toBe(200);
    expect(await provedAt(owner)).not.toBeNull();
  });

  it('is given by a passkey of the person, for this act, at this address', async () => {
    const owner = await ownerOf(true);
    const other = await ownerOf(true);
    const foreign = async () => (await proofFor({ token: owner.token, key: other.key })).response;
    const phished = async () => (await proofFor(owner, { origin: 'https://evil.test' })).response;
    const ofAnotherSession = async () => {
      const response = (await proofFor({ token: other.token, key: owner.key })).response;
      await proofFor(owner);
      return response;
    };
    const ofALogin = async () => {
      const { challenge } = await challengeFor(await begin(server, owner.person));
      return owner.key.get({ ...site, challenge });
    };
    for (const make of [foreign, phished, ofAnotherSession, ofALogin, async () => ({ id: 7 }), async () => ({})]) {
      const answer = await confirm(owner.token, { response: await make() });
      expect([answer.status, answer.body.errors]).toEqual([
        422,
        { response: 'The passkey was not accepted. Please try again.' },
      ]);
    }
    expect(await provedAt(owner)).toBeNull();
    expect(await countOf(owner.person, 'passkey:refused')).toBe(6);
  });

  it('is for people with two-factor on, and there is no proof of nothing', async () => {
    const person = await buildMailbox(server.app);
    const { token } = await server.signIn(person.user.email, person.password);
    expect((await server.call('POST', '/user/passkeys/confirm_options', { token })).body).toMatchObject({
      code: 'two_factor_off',
    });
    expect((await confirm(token, { response: {} })).body).toMatchObject({ code: 'two_factor_off' });
    expect((await confirm(token, {})).body.errors).toEqual({ password: 'Password is required' });
    expect((await confirm(token, { otp: '123456' })).body.errors).toEqual({ password: 'Password is required' });
    const waiting = await ownerOf(true);
    const cookie = await begin(server, waiting.person);
    const refused = await server.call('POST', '/user/passkeys/confirm_options', { headers: { cookie } });
    expect(refused.status).toBe(401);
  });
});

describe('adding a passkey', () => {
  it('is bound to the configured address, tells the owner, and makes it a second factor', async () => {
    const { person, owner, key, added } = await personWithKey();
    expect(added.body.data).toMatchObject({ passkey_name: 'My key', last_used: null });
    expect(await latestNotice(server, person.user.email)).toContain('My key');
    expect(await countOf(person, 'passkey:added')).toBe(1);
    const options = await registrationOptions(owner);
    expect(options.rp?.id).toBe(site.rpId);
    expect(options.excludeCredentials).toMatchObject([{ id: key.credentialId.toString('base64url') }]);
    expect((await logIn(server, person)).body['second_factors']).toContain('passkey');
  });

  it('needs two-factor and the password', async () => {
    const person = await buildMailbox(server.app);
    const { token } = await server.signIn(person.user.email, person.password);
    const body = { password: encodePassword(person.password) };
    const off = await server.call('POST', '/user/passkeys/options', { token, body });
    expect(off.body).toMatchObject({ code: 'two_factor_off' });
    const wrong = { password: encodePassword('not the password') };
    expect((await server.call('POST', '/user/passkeys/options', { token, body: wrong })).status).toBe(422);
  });

  it('refuses another origin, another site, an old challenge, nonsense, and the same key twice', async () => {
    const { person, owner, token, key } = await personWithKey();
    const fresh = () => new TestAuthenticator();
    const refused = [
      await add(owner, fresh(), { origin: 'https://evil.test' }),
      await add(owner, fresh(), { rpId: 'evil.test' }),
      await add(owner, fresh(), { challenge: 'AAAA' }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([422, 422, 422]);
    const { challenge } = await registrationOptions(owner);
    const send = (response: object) =>
      server.call('POST', '/user/passkeys', { token, body: { passkey_name: 'x', response } });
    expect((await send({ id: 1, response: 'nonsense' })).status).toBe(422);
    expect((await send(fresh().create({ ...site, challenge }))).status).toBe(422);
    expect((await add(owner, key)).status).toBe(409);
    expect(await Passkey.count({ where: { userId: person.user.id } })).toBe(1);
  });

  it.each(['android-key', 'apple', 'tpm', 'fido-u2f', 'android-safetynet', 'packed'])(
    'reads no certificate of an attestation, and asks no server that one names: %s',
    async (fmt) => {
      const asked: string[] = [];
      const lists = createServer((request, answer) => {
        asked.push(request.url ?? '');
        answer.end();
      });
      await new Promise<void>((resolve) => lists.listen(0, '127.0.0.1', resolve));
      stopAtEnd(() => new Promise((resolve) => lists.close(() => resolve())));
      const { port } = lists.address() as AddressInfo;
      const attest = attestByAndroid(`http://127.0.0.1:${port}/revoked`, fmt);
      const { owner } = await personWithKey();
      expect((await add(owner, new TestAuthenticator(), {}, attest)).status).toBe(422);
      expect(asked).toEqual([]);
    },
  );

  it('takes a key that attests itself, as some do though no attestation is asked for', async () => {
    const { owner } = await personWithKey();
    expect((await add(owner, new TestAuthenticator(), {}, attestSelf)).status).toBe(200);
  });

  it('refuses an id that is too long for a passkey to be found again', async () => {
    const { owner } = await personWithKey();
    expect((await add(owner, new TestAuthenticator(randomBytes(1050)))).status).toBe(200);
    expect((await add(owner, new TestAuthenticator(randomBytes(1051)))).status).toBe(422);
  });

  it('stores no transports but short words, which are only a hint', async () => {
    const { owner, person } = await personWithKey();
    const stored = async (transports: unknown) => {
      const { challenge } = await registrationOptions(owner);
      const key = new TestAuthenticator();
      const { response, ...rest } = key.create({ ...site, challenge });
      expect((await sendNew(owner, { ...rest, response: { ...response, transports } })).status).toBe(200);
      const where = { userId: person.user.id, credentialId: key.credentialId.toString('base64url') };
      return (await Passkey.findOne({ where, rejectOnEmpty: true })).transports;
    };
    expect(await stored(['internal', 'smart-card'])).toEqual(['internal', 'smart-card']);
    for (const odd of [undefined, 7, { usb: 1 }, [[]], ['u'.repeat(33)], Array.from({ length: 17 }, () => 'usb')]) {
      expect(await stored(odd)).toEqual([]);
    }
  });

  it('accepts no challenge of another session', async () => {
    const { owner } = await personWithKey();
    const { challenge } = await registrationOptions(owner);
    const stranger = await buildMailbox(server.app);
    const theirs = await turnOn(server, stranger);
    const response = new TestAuthenticator().create({ ...site, challenge });
    const body = { passkey_name: 'x', response };
    expect((await server.call('POST', '/user/passkeys', { token: theirs.token, body })).status).toBe(422);
  });

  it('can be listed, named and removed by its owner', async () => {
    const { person, token, id } = await personWithKey();
    const body = { passkey_name: 'Blue key' };
    expect((await server.call('PATCH', `/user/passkeys/${id}`, { token, body })).status).toBe(200);
    expect((await server.call('GET', '/user/passkeys', { token })).body.data).toMatchObject([
      { passkey_name: 'Blue key' },
    ]);
    expect((await server.call('DELETE', `/user/passkeys/${id}`, { token })).status).toBe(200);
    expect((await server.call('GET', '/user/passkeys', { token })).body.data).toEqual([]);
    expect([await countOf(person, 'passkey:renamed'), await countOf(person, 'passkey:removed')]).toEqual([1, 1]);
  });
});

it('has its new name also when the database runs the change again', async () => {
  const { token, id } = await personWithKey();
  const body = { passkey_name: 'Blue key' };
  const isRenamed = async (transaction: Transaction) =>
    (await Passkey.findByPk(id, { transaction }))?.passkeyName === body.passkey_name;
  const hasRunAgain = rollBackOnce(server.app, isRenamed);
  const renamed = await server.call('PATCH', `/user/passkeys/${id}`, { token, body });
  expect([renamed.status, hasRunAgain()]).toEqual([200, true]);
  expect(await Passkey.findByPk(id)).toMatchObject({ passkeyName: body.passkey_name });
});

it('is named no more often than the audit trail should keep', async () => {
  const { person, token, id } = await personWithKey();
  await server.app.redis.set(`rate:own-settings:${person.user.id}`, 600, 'EX', 3600);
  const renamed = await server.call('PATCH', `/user/passkeys/${id}`, { token, body: { passkey_name: 'Blue key' } });
  expect([renamed.status, await countOf(person, 'passkey:renamed')]).toEqual([429, 0]);
});

describe('logging in with a passkey', () => {
  it('opens a session, once for a challenge, and notes the use', async () => {
    const { person, key, token } = await personWithKey();
    const cookie = await begin(server, person);
    const { challenge, rpId, allowCredentials } = await challengeFor(cookie);
    expect({ rpId, ids: allowCredentials?.map(({ id }) => id) }).toEqual({
      rpId: site.rpId,
      ids: [key.credentialId.toString('base64url')],
    });
    const response = key.get({ ...site, challenge });
    expect((await verify(cookie, response)).body).toHaveProperty('refreshToken');
    const again = await begin(server, person);
    expect((await verify(again, response)).status).toBe(401);
    await challengeFor(again);
    expect((await verify(again, response)).body).toMatchObject({ code: 'wrong_code' });
    const { data } = (await server.call('GET', '/user/passkeys', { token })).body;
    expect((data as PasskeyDto[])[0]?.last_used).not.toBeNull();
  });

  it('proves that the session is its owner’s, which a code does not', async () => {
    const { person, key, secret } = await personWithKey();
    const latest = async () => {
      const where = { userId: String(person.user.id) };
      return await Session.findOne({ where, order: [['id', 'DESC']], rejectOnEmpty: true });
    };
    const cookie = await begin(server, person);
    const { challenge } = await challengeFor(cookie);
    expect((await verify(cookie, key.get({ ...site, challenge }))).status).toBe(200);
    expect((await latest()).confirmedAt).not.toBeNull();
    await User.update({ twoFactorLastStep: 0 }, { where: { id: person.user.id } });
    const headers = { cookie: await begin(server, person) };
    const byCode = await server.call('POST', '/user/verify_otp', { headers, body: { otp: codeOf(secret) } });
    expect(byCode.status).toBe(200);
    expect((await latest()).confirmedAt).toBeNull();
  });

  it('refuses another origin, another site, another key and the challenge of another login', async () => {
    const { person, key } = await personWithKey();
    const cookie = await begin(server, person);
    const other = await challengeFor(await begin(server, person));
    const forged = [
      (challenge: string) => key.get({ ...site, challenge, origin: 'https://evil.test' }),
      (challenge: string) => key.get({ ...site, challenge, rpId: 'evil.test' }),
      () => key.get({ ...site, challenge: other.challenge }),
      (challenge: string) => {
        const stranger = new TestAuthenticator().get({ ...site, challenge });
        const id = key.credentialId.toString('base64url');
        return { ...stranger, id, rawId: id };
      },
    ];
    for (const forge of forged) {
      const { challenge } = await challengeFor(cookie);
      expect((await verify(cookie, forge(challenge))).body).toMatchObject({ code: 'wrong_code' });
    }
    const { challenge } = await challengeFor(cookie);
    expect((await verify(cookie, key.get({ ...site, challenge }))).status).toBe(200);
  });

  it('takes an id that no browser gives for a wrong one', async () => {
    const { person, key } = await personWithKey();
    const cookie = await begin(server, person);
    for (const id of ['é', '', 7]) {
      const { challenge } = await challengeFor(cookie);
      const answer = await verify(cookie, { ...key.get({ ...site, challenge }), id });
      expect([answer.status, answer.body['code']]).toEqual([401, 'wrong_code']);
    }
  });

  it("refuses another person's passkey", async () => {
    const [mine, other] = [await personWithKey(), await personWithKey()];
    const cookie = await begin(server, mine.person);
    const { challenge } = await challengeFor(cookie);
    expect((await verify(cookie, other.key.get({ ...site, challenge }))).status).toBe(401);
  });

  it('refuses a counter that does not grow, and reports the copy', async () => {
    const { person, key } = await personWithKey();
    const attempt = async (counter: number) => {
      key.counter = counter;
      const cookie = await begin(server, person);
      const { challenge } = await challengeFor(cookie);
      return (await verify(cookie, key.get({ ...site, challenge }))).status;
    };
    expect([await attempt(7), await attempt(7), await attempt(3), await attempt(0), await attempt(8)]).toEqual([
      200, 401, 401, 401, 200,
    ]);
    expect(await countOf(person, 'passkey:copied')).toBe(3);
    expect(await latestNotice(server, person.user.email)).toContain('seems to be a copy');
  });

  it('opens nothing for a person who is logged in or has given no password', async () => {
    const { token, key } = await personWithKey();
    const response = key.get({ ...site, challenge: 'AAAA' });
    const answer = await server.call('POST', '/user/verify_passkey', { token, body: { response } });
    expect(answer.body).toMatchObject({ code: 'signed_in_already' });
    expect((await verify('', response)).body).toMatchObject({ code: 'sign_in_again' });
  });

  it('renews the cookie at each login', async () => {
    const { person } = await personWithKey();
    const first = await begin(server, person);
    const second = cookieOf(await logIn(server, person, { cookie: first }));
    expect(second).not.toBe(first);
    expect((await verify(first, {})).body).toMatchObject({ code: 'sign_in_again' });
  });
});
