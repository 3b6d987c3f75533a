import type { OutputFile } from '../storage.js';
import type { Stream, Streams } from '../streams.js';

/**
 * The values of an attribute by frame, put aside as text. The first is also its default, for programs that show no
 * animations; an attribute that never changes has no samples beside it.
 */
export class Samples {
  private first: Stream | undefined;
  private stream: Stream | undefined;
  /** Frame of the last value, and of the last frame in which it was still in force. */
  private at = -1;
  private until = -1;
  count = 0;

  constructor(private readonly streams: Streams) {}

  async set(frame: number, value: string): Promise<void> {
    this.stream ??= this.streams.open();
    if (!this.first) {
      this.first = this.streams.open();
      await this.first.write(value);
    }
    await this.stream.write(`            ${frame}: `);
    await this.stream.write(value);
    await this.stream.write(',\n');
    this.at = this.until = frame;
    this.count++;
  }

  /** The value is the same in this frame. */
  hold(frame: number): void {
    this.until = frame;
  }

  /**
   * Before another value is set: readers interpolate, so the former value is written once more for the last frame that
   * has it. `value` makes its text again.
   */
  async settle(value: () => string): Promise<void> {
    if (this.at >= 0 && this.until > this.at) await this.set(this.until, value());
  }

  /** Writes the attribute: without samples nothing. */
  async copyTo(out: Pick<OutputFile, 'write'>, declaration: string, metadata = ''): Promise<void> {
    if (!this.stream || !this.first) return;
    const text = (part: string) => out.write(new TextEncoder().encode(part));
    await text(`        ${declaration} = `);
    await this.first.copyTo(out);
    await text(metadata === '' ? '\n' : ` (\n            ${metadata}\n        )\n`);
    if (this.count === 1) return;
    await text(`        ${declaration}.timeSamples = {\n`);
    await this.stream.copyTo(out);
    await text('        }\n');
  }
}
