/** A name as part of a file's name: "my body" is my-body. */
export const fileNameOf = (name: string): string =>
  name
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}_.]+/gu, '-')
    .replace(/^[-.]+|[-.]+$/g, '') || 'object';

/** Gives each name once: a second "a" is "a_2". */
export class UniqueNames {
  private readonly taken = new Set<string>();

  take(wanted: string, separator = '_'): string {
    let name = wanted;
    for (let n = 2; this.taken.has(name.toLowerCase()); n++) name = `${wanted}${separator}${n}`;
    this.taken.add(name.toLowerCase());
    return name;
  }
}
