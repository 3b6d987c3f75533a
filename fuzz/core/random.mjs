/** 32 bits that depend on every character of every part: "worlds", seed and case number make one generator each. */
function hash(parts) {
  let h = 0x811c9dc5;
  for (const character of parts.join('\u0000')) {
    h = Math.imul(h ^ character.codePointAt(0), 0x01000193);
    h ^= h >>> 15;
  }
  return h >>> 0;
}

/** Numbers that look random and repeat with their seed, on every machine: a counter, mixed (splitmix with 32 bits). */
export class Random {
  #state;

  constructor(...parts) {
    this.#state = hash(parts);
  }

  /** In [0, 1). */
  next() {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    let z = this.#state;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return ((z ^ (z >>> 15)) >>> 0) / 2 ** 32;
  }

  /** True with probability p. */
  chance(p) {
    return this.next() < p;
  }

  /** A whole number, both ends included. */
  integer(low, high) {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  /** Three significant digits are enough, and read better in what is printed. */
  number(low, high) {
    return Number((low + this.next() * (high - low)).toPrecision(3));
  }

  /** As many in each power of ten. */
  logarithmic(low, high) {
    return Number(Math.exp(Math.log(low) + this.next() * Math.log(high / low)).toPrecision(3));
  }

  pick(list) {
    return list[this.integer(0, list.length - 1)];
  }

  /** One of the keys, as often as its weight says. */
  weighted(weights) {
    const entries = Object.entries(weights);
    let left = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [key, weight] of entries) {
      left -= weight;
      if (left < 0) return key;
    }
    return entries[entries.length - 1][0];
  }
}
