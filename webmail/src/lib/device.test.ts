import { describe, expect, it } from 'vitest';
import { deviceInWords } from './device.ts';

describe('deviceInWords', () => {
  it('names browser and system', () => {
    const agent =
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';
    expect(deviceInWords(agent)).toBe('Chrome on Windows');
  });
  it('says what it can about a program, and that it knows nothing otherwise', () => {
    expect(deviceInWords('backup-script/1.2')).toContain('backup');
    expect(deviceInWords('')).toBe('Unknown device');
  });
});
