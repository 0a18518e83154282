import { describe, expect, it } from 'vitest';
import { assertHaraka, type HarakaInside, rememberSettings } from './haraka.ts';

const does = () => undefined;
const whole: HarakaInside = {
  Connection: {
    prototype: {
      _process_data: does,
      cmd_mail: does,
      respond: does,
      disconnect: does,
      resume: does,
      reset_transaction: does,
    },
  },
  createTransaction: () => ({ add_data: does, data_bytes: 0, message_stream: { destroy: does } }),
  tls: { certsByHost: {}, load_default_opts: does },
  constants: {
    ok: 906,
    deny: 902,
    denysoft: 903,
    denydisconnect: 904,
    denysoftdisconnect: 909,
    connection: { state: { CMD: 1, DATA: 3, PAUSE: 4, PAUSE_SMTP: 5 } },
    translate: () => 'OK',
  },
  config: { get: does },
  results: { prototype: { _log: does } },
};

describe('assertHaraka', () => {
  it('accepts what has all parts', () => {
    expect(() => assertHaraka(whole)).not.toThrow();
  });

  it.each<[string, Partial<HarakaInside>]>([
    ['respond', { Connection: { prototype: { ...whole.Connection.prototype, respond: undefined } } }],
    ['cmd_mail', { Connection: { prototype: { ...whole.Connection.prototype, cmd_mail: undefined } } }],
    ['add_data', { createTransaction: () => ({ data_bytes: 0, message_stream: { destroy: does } }) }],
    ['message_stream.destroy', { createTransaction: () => ({ add_data: does, data_bytes: 0 }) }],
    ['load_default_opts', { tls: { certsByHost: {} } }],
    ['config.get', { config: {} }],
    ['constants.translate', { constants: { ...whole.constants, translate: undefined } }],
    ['results._log', { results: { prototype: {} } }],
    ['the states of a connection', { constants: { ...whole.constants, connection: { state: { DATA: 4 } } } }],
    ['the codes of hooks', { constants: { ...whole.constants, denysoft: 1 } }],
  ])('refuses one without %s, by a sentence', (part, other) => {
    expect(() => assertHaraka({ ...whole, ...other })).toThrow(
      `haraka.ts uses what haraka 3.3.4 does not have: ${part}`,
    );
  });
});

describe('rememberSettings', () => {
  it('reads what is read for each connection once, for each way to read it', () => {
    const reads: unknown[][] = [];
    const config = { get: (...given: unknown[]) => reads.push(given) };
    rememberSettings(config);
    const answers = [
      config.get('me'),
      config.get('me'),
      config.get('results.ini', { booleans: ['a'] }),
      config.get('results.ini', { booleans: ['a'] }),
      config.get('results.ini'),
      config.get('tls.ini'),
      config.get('tls.ini'),
      config.get('me', does),
      config.get('me', does),
    ];
    expect(answers).toEqual([1, 1, 2, 2, 3, 4, 5, 6, 7]);
  });
});
