import { describe, expect, it } from 'vitest';
import { shrink } from './shrink.mjs';

describe('shrink', () => {
  it('leaves the entries that a finding needs, and nothing else', async () => {
    const data = { calls: Array.from({ length: 40 }, (_, n) => ['step', n, { a: 1, b: [1, 2, 3], c: 'text' }]) };
    const fails = ({ calls }) => calls?.some((c) => c[1] === 17 && c[2]?.b) && calls.some((c) => c[1] === 31);
    const small = await shrink(data, fails);
    expect(small.calls.map((c) => c[1])).toEqual([17, 31]);
    expect(small.calls[0][2]).toEqual({ b: [] });
  });

  it('makes numbers and texts simpler', async () => {
    const data = { x: 12.34567, y: 812.5, text: 'abcdefgh' };
    const small = await shrink(data, ({ x, y, text }) => x > 3 && y > 100.2 && text?.includes('e'));
    expect(small.text).toBe('e');
    expect(small.y).toBeLessThan(203);
    expect(String(small.x).length).toBeLessThanOrEqual(2);
  });

  it('never returns what does not fail, and ends when it is late', async () => {
    let runs = 0;
    const data = { list: Array.from({ length: 500 }, (_, k) => k) };
    const fails = ({ list }) => {
      runs++;
      return list?.includes(499) && list.includes(3);
    };
    const small = await shrink(data, fails, { isLate: () => runs >= 20 });
    expect(runs).toBe(20);
    expect(fails(small)).toBe(true);
    expect(small.list.length).toBeLessThan(500);
  });

  it('keeps what gives a case its form', async () => {
    const data = { kind: 'plain', list: [1, 2, 3] };
    const small = await shrink(data, () => true, { mayChange: ([first]) => first === 'list' });
    expect(small).toEqual({ kind: 'plain', list: [] });
  });
});
