import type { Value } from '../measure/named.js';

/** A column of a table. */
export interface Column {
  /** Its name, unique in the table. */
  name: string;
  /** 'number': numbers or nothing; 'count': whole numbers below 2³¹; 'text': anything else. */
  type: 'number' | 'count' | 'text' | 'boolean';
  /** One value for each row. */
  values: Value[];
}

/** A table by columns. */
export interface Table {
  /** Name of its files, without ending. */
  name: string;
  columns: Column[];
}

/** A column whose type is that of its values. */
export function columnOf(name: string, values: readonly unknown[]): Column {
  const present = values.filter((value) => value !== null && value !== undefined);
  const all = (type: string) => present.every((value) => typeof value === type);
  if (present.length === 0 || all('number'))
    return { name, type: 'number', values: values.map((v) => (v as number) ?? null) };
  if (all('boolean')) return { name, type: 'boolean', values: values.map((v) => (v as boolean) ?? null) };
  // Lists and objects as JSON, words as they are.
  const texts = values.map((v) =>
    v === null || v === undefined ? null : typeof v === 'string' ? v : JSON.stringify(v),
  );
  return { name, type: 'text', values: texts };
}

/** A table as CSV (RFC 4180), with a line for the names. Numbers have all their digits, so that reading them gives the same number. */
export function csvOf({ columns }: Table): string {
  const rows = columns[0]?.values.length ?? 0;
  const lines = [columns.map(({ name }) => quoted(name)).join(',')];
  for (let k = 0; k < rows; k++)
    lines.push(columns.map(({ values }) => (values[k] === null ? '' : quoted(String(values[k])))).join(','));
  return `${lines.join('\n')}\n`;
}

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const TYPES = { number: 'DOUBLE', count: 'INT32', text: 'STRING', boolean: 'BOOLEAN' } as const;

/** A table as a Parquet file. */
export async function parquetOf({ columns }: Table): Promise<Uint8Array> {
  const { parquetWriteBuffer } = await import('hyparquet-writer');
  const columnData = columns.map(({ name, type, values }) => ({
    name,
    type: TYPES[type],
    data: values as (string | number | boolean)[],
    nullable: true,
  }));
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}
