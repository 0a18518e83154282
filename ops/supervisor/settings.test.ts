import { describe, expect, it } from 'vitest';
import { describeTakenPorts } from './ports.ts';
import { readSettings } from './settings.ts';

describe('settings of the supervisor', () => {
  it('say how many processes each program has', () => {
    const { processes } = readSettings({ PROCESSES_API: ' 3 ', PROCESSES_INBOUND: '' });
    expect(processes.API).toBe(3);
    expect(processes.INBOUND).toBe(processes.WORKERS);
    expect(processes.WORKERS).toBeGreaterThan(0);
  });

  it.each(['0', '65', 'two', '1.5'])('refuse %s processes', (count) => {
    expect(() => readSettings({ PROCESSES_API: count })).toThrow(
      `PROCESSES_API is not a number from 1 to 64: ${count}`,
    );
  });

  it('have a usual value for what is empty', () => {
    expect(readSettings({ HEALTH_ADDRESS: '', HTTP_PORT: '' })).toMatchObject({
      healthAddress: '127.0.0.1',
      ports: { HTTP_PORT: 8080 },
    });
  });

  it('may give the HTTP port an address of its own, and tell of both', async () => {
    expect(readSettings({ BIND_ADDRESS: '::', HTTP_ADDRESS: '' }).httpAddress).toBe('::');
    const settings = readSettings({ BIND_ADDRESS: '0.0.0.0', HTTP_ADDRESS: ' 192.0.2.1 ', SMTP_PORT: '2526' });
    expect(settings).toMatchObject({ bindAddress: '0.0.0.0', httpAddress: '192.0.2.1' });
    const problems = await describeTakenPorts({ ...settings, ports: { ...settings.ports, HTTP_PORT: 18_123 } });
    expect(problems).toContain('HTTP_PORT=18123 on 192.0.2.1: this machine has no such address; set HTTP_ADDRESS');
  });
});
