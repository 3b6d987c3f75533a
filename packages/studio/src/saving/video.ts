/** Formats that browsers can record, the best first. */
const KINDS = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm', 'video/mp4'];

/** Frames per second. */
const RATE = 30;

/** A recording of a canvas. */
export class Recording {
  readonly begun = performance.now();
  private readonly parts: Blob[] = [];
  private readonly stopped: Promise<void>;

  private constructor(private readonly recorder: MediaRecorder) {
    recorder.ondataavailable = ({ data }) => this.parts.push(data);
    this.stopped = new Promise((resolve) => {
      recorder.onstop = () => resolve();
    });
    recorder.start(1000);
  }

  static start(canvas: HTMLCanvasElement): Recording {
    const mimeType =
      typeof MediaRecorder === 'undefined' ? undefined : KINDS.find((k) => MediaRecorder.isTypeSupported(k));
    if (mimeType === undefined || typeof canvas.captureStream !== 'function')
      throw new Error('This browser cannot record videos; Chrome, Edge and Firefox can.');
    return new Recording(new MediaRecorder(canvas.captureStream(RATE), { mimeType, videoBitsPerSecond: 12e6 }));
  }

  /** Ends the recording. Returns the file and the ending of its name. */
  async stop(): Promise<{ blob: Blob; ending: string }> {
    this.recorder.stop();
    await this.stopped;
    for (const track of this.recorder.stream.getTracks()) track.stop();
    const type = this.recorder.mimeType.split(';')[0];
    return { blob: new Blob(this.parts, { type }), ending: type === 'video/mp4' ? 'mp4' : 'webm' };
  }
}
