import { expect, it } from 'vitest';
import { Pairs } from './pairs.js';

it('groups contacts by their two sides, soft pairs first, in the order of the sides and of the contacts', () => {
  const pairs = new Pairs();
  const contacts = [
    [3, 1],
    [0, 2],
    [1, 3],
    [1, 2],
    [2, 0],
    [0, 7],
    [3, 1],
  ];
  for (let round = 0; round < 2; round++) {
    pairs.grow(contacts.length, 4);
    pairs.clear(4);
    for (const [n, [p, q]] of contacts.entries()) pairs.firm[pairs.add(n, p, q)] = p + q === 3 ? 0 : 1;
    pairs.order(contacts.length, 4);
    expect([...pairs.list.subarray(0, contacts.length)]).toEqual([3, 1, 4, 5, 0, 2, 6]);
    expect(pairs.size[pairs.of[0]]).toBe(3);
    expect(pairs.of[1]).toBe(pairs.of[4]);
  }
});
