import { describe, expect, it } from 'vitest';
import { checkMailParameters, checkRcptParameters, type EsmtpParameters } from './esmtp-parameters.ts';

const offer = { maxBytes: 1000, hasAuth: true };
const answer = (parameters: EsmtpParameters, hasAuth = true) => {
  const reply = checkMailParameters(parameters, { ...offer, hasAuth });
  return reply && `${reply.code} ${reply.enhancedCode}`;
};

describe('checkMailParameters', () => {
  it.each<EsmtpParameters>([
    {},
    { SIZE: '1000' },
    { BODY: '7BIT' },
    { BODY: '8bitmime' },
    { SMTPUTF8: null },
    { AUTH: '<>' },
    { AUTH: 'ana@a.test' },
    { SIZE: '0', BODY: '8BITMIME', SMTPUTF8: null },
  ])('takes %j', (parameters) => {
    expect(answer(parameters)).toBeNull();
  });

  it.each<[EsmtpParameters, string]>([
    [{ SIZE: 'abc' }, '501 5.5.4'],
    [{ SIZE: null }, '501 5.5.4'],
    [{ SIZE: '1'.repeat(21) }, '501 5.5.4'],
    [{ SIZE: '1001' }, '552 5.3.4'],
    [{ BODY: 'BINARYMIME' }, '501 5.5.4'],
    [{ BODY: null }, '501 5.5.4'],
    [{ SMTPUTF8: 'yes' }, '501 5.5.4'],
    [{ AUTH: 'nobody' }, '501 5.5.4'],
    [{ RET: 'FULL' }, '555 5.5.4'],
    [{ ENVID: 'x' }, '555 5.5.4'],
    [{ REQUIRETLS: null }, '555 5.5.4'],
    [{ TOSTRING: null }, '555 5.5.4'],
    [{ SIZE: '10', FOO: 'bar' }, '555 5.5.4'],
  ])('refuses %j with %s', (parameters, reply) => {
    expect(answer(parameters)).toBe(reply);
  });

  it('does not know AUTH where it is not offered', () => {
    expect(answer({ AUTH: '<>' }, false)).toBe('555 5.5.4');
  });

  it('names the parameter without what could deceive in a log', () => {
    expect(checkMailParameters({ 'É\x1b': null }, offer)?.text).toBe('The parameter ?? is not supported');
  });
});

describe('checkRcptParameters', () => {
  it('takes none', () => {
    expect(checkRcptParameters({})).toBeNull();
    expect(checkRcptParameters({ NOTIFY: 'NEVER' })).toMatchObject({ code: 555, enhancedCode: '5.5.4' });
  });
});
