import { frameBytes } from '../frames.js';
import type { Report } from '../protocol.js';
import type { Session } from './session.js';

/** Number of buffers: one drawn, one waiting, one being written. */
const BUFFERS = 3;
/** Milliseconds of steps at a time, after which commands are handled and a frame is sent. */
const STRETCH = 12;
/** Seconds behind the clock beyond which time is dropped: slow motion instead of a growing delay. */
const PATIENCE = 0.1;

/**
 * Keeps the world in time with the clock. The worker's event loop runs between stretches of steps, so that commands
 * wait at most one stretch, or one step if steps are longer.
 */
export class Pacer {
  private free: (ArrayBufferLike | undefined)[] = [];
  private shared = false;
  private owed = 0;
  private last = 0;
  private pending = false;
  /** Whether a frame with the present state was sent. */
  private shown = false;
  private readonly turn = new MessageChannel();
  private timer = 0;
  private pace = 0;

  constructor(
    private readonly current: () => Session | undefined,
    private readonly post: (report: Report, transfer?: Transferable[]) => void,
  ) {
    this.turn.port1.onmessage = () => this.tick();
  }

  begin(shared: boolean): void {
    this.shared = shared;
    this.free = new Array(BUFFERS).fill(undefined);
    this.owed = 0;
    this.last = performance.now();
    this.wake();
  }

  giveBack(buffer: ArrayBufferLike): void {
    if (this.free.length < BUFFERS) this.free.push(buffer);
    this.wakeUnless();
  }

  /** To be called after a change that the page should show. */
  wake(): void {
    this.shown = false;
    this.wakeUnless();
  }

  private wakeUnless(): void {
    if (this.pending) return;
    this.pending = true;
    this.turn.port2.postMessage(0);
  }

  private tick(): void {
    this.pending = false;
    clearTimeout(this.timer);
    const session = this.current();
    if (!session) return;
    const now = performance.now();
    const elapsed = (now - this.last) / 1000;
    this.last = now;
    if (this.free.length === 0) return;
    if (session.running) this.run(session, elapsed);
    if (!this.shown) this.send(session);
    if (!session.running) return;
    // Behind the clock: continue at once, but handle commands first.
    if (this.owed >= session.world.dt) this.wakeUnless();
    else
      this.timer = self.setTimeout(
        () => this.tick(),
        1000 * Math.max(0, (session.world.dt - this.owed) / session.speed),
      );
  }

  private run(session: Session, elapsed: number): void {
    const { dt } = session.world;
    this.owed = Math.min(this.owed + elapsed * session.speed, Math.max(dt, PATIENCE * session.speed));
    const until = performance.now() + STRETCH;
    let steps = 0;
    while (this.owed >= dt && (steps === 0 || performance.now() < until)) {
      session.step();
      this.owed -= dt;
      steps++;
      if (!session.running) break;
    }
    if (steps > 0) this.shown = false;
    if (elapsed > 0) this.pace += Math.min(1, 2 * elapsed) * ((steps * dt) / elapsed - this.pace);
  }

  private send(session: Session): void {
    const frame = session.frame(this.pace);
    const bytes = frameBytes(frame.counts);
    let buffer = this.free.pop();
    if (!buffer || buffer.byteLength < bytes) {
      const room = Math.ceil(1.2 * bytes) + 1024;
      buffer = this.shared ? new SharedArrayBuffer(room) : new ArrayBuffer(room);
    }
    session.writeInto(buffer, frame);
    this.post({ type: 'frame', buffer, frame }, this.shared ? [] : [buffer as ArrayBuffer]);
    this.shown = true;
  }
}
