import type { SceneDescription } from '@pliant/scene';
import { clusterColour } from '@pliant/scene';
import type { EncodedVideoPacketSource, Output as MediaOutput } from 'mediabunny';
import type { Browser, Page } from 'playwright-core';
import { type Body, PliantError, type World } from 'pliant';
import type { Output } from '../output.js';
import { ResultFile, WriteError } from '../resultFile.js';
import { launchBrowser } from './browser.js';
import { PAGE } from './page.js';
import { Scenery } from './scenery.js';

/** Codecs of each container, the best first: the names of WebCodecs. */
const CODECS = {
  mp4: ['avc1.640028', 'avc1.42002a', 'vp09.00.40.08', 'av01.0.08M.08'],
  webm: ['vp09.00.40.08', 'vp8', 'av01.0.08M.08'],
};

/** Bits per second and pixel: smooth surfaces need few. */
const BITS = 0.14;
/** Factor on the colour of faces that cuts and cracks laid open. */
const INNER = 0.72;
/** Largest number of pictures a second. */
const FASTEST = 60;

interface Chunk {
  type: 'key' | 'delta';
  /** µs. */
  timestamp: number;
  data: string;
  config?: { codec: string; codedWidth: number; codedHeight: number; description?: string };
}

/** Films a run: surfaces of the bodies and obstacles, drawn frame by frame in a Chromium without a window, at the speed of the world. */
export class VideoOutput implements Output {
  private readonly result: ResultFile;
  private browser: Browser | undefined;
  private page!: Page;
  private world!: World;
  private scenery!: Scenery;
  private stride = 1;
  private fps = 60;
  private pictures = 0;
  private readonly chunks: Chunk[] = [];
  private media: { output: MediaOutput; source: EncodedVideoPacketSource; bytes: () => ArrayBuffer | null } | undefined;
  /** Versions of the skins that the page has. */
  private readonly versions = new Map<Body, number>();
  private scene!: SceneDescription;

  constructor(
    readonly file: string,
    private readonly kind: 'mp4' | 'webm',
    private readonly every: number,
    private readonly size: readonly [width: number, height: number],
  ) {
    this.result = new ResultFile(file, '--out');
  }

  async open(): Promise<void> {
    await this.result.open();
    try {
      this.browser ??= await launchBrowser(`.${this.kind}`);
    } catch (error) {
      await this.result.discard();
      throw error;
    }
  }

  /** The browser is closed too: it is started anew by the next `open`. */
  async discard(): Promise<void> {
    await this.browser?.close();
    this.browser = undefined;
    await this.result.discard();
  }

  begin(world: World, scene: SceneDescription): void {
    this.world = world;
    this.scene = scene;
    // Of steps shorter than a sixtieth of a second, some are left out.
    this.stride = Math.max(this.every, Math.ceil(1 / (FASTEST * world.dt) - 1e-6));
    this.fps = 1 / (world.dt * this.stride);
  }

  async frame(frame: number): Promise<void> {
    if (frame % this.stride !== 0) return;
    if (this.pictures === 0) await this.setUp();
    const poses: [number, (number[] | null)?][] = [];
    for (const body of this.world.bodies) poses.push([await this.send(body)]);
    this.scenery.poses().forEach((pose, k) => {
      if (pose) poses.push([-1 - k, pose]);
    });
    const problem = await this.page.evaluate(([n, list]) => (globalThis as unknown as Drawing).draw(n, list), [
      this.pictures,
      poses,
    ] as const);
    if (problem) this.fail(problem);
    this.pictures++;
    await this.mux();
  }

  private async setUp(): Promise<void> {
    const { world, size, fps } = this;
    this.page = await this.browser!.newPage();
    await this.page.exposeFunction('pliantChunk', (chunk: Chunk) => void this.chunks.push(chunk));
    // WebCodecs is for secure contexts: a page of this machine, answered here.
    await this.page.route('http://localhost/**', (route) => route.fulfill({ contentType: 'text/html', body: PAGE }));
    await this.page.goto('http://localhost/video.html');
    const { middle, extent, camera } = this.lookAt();
    this.scenery = new Scenery(world, middle, 4 * extent);
    const problem = await this.page.evaluate((given) => (globalThis as unknown as Drawing).setUp(given), {
      width: size[0],
      height: size[1],
      fps,
      bitrate: Math.round(BITS * size[0] * size[1] * fps),
      codecs: CODECS[this.kind],
      middle,
      extent,
      camera,
    });
    if (problem) this.fail(problem);
    for (const [k, { positions, normals, colour, kind }] of this.scenery.soups.entries())
      await this.setMesh(-1 - k, { positions: text(positions), normals: text(normals), colour, kind });
  }

  private lookAt() {
    const boxes = this.world.bodies.map(({ bounds }) => bounds);
    const low = [0, 1, 2].map((a) => Math.min(...boxes.map(({ min }) => min[a])));
    const high = [0, 1, 2].map((a) => Math.max(...boxes.map(({ max }) => max[a])));
    const finite = low.every(Number.isFinite);
    const middle = finite ? low.map((value, a) => (value + high[a]) / 2) : [0, 0, 0];
    const span = finite ? Math.hypot(...low.map((value, a) => high[a] - value)) : 1;
    const given = this.scene.cameras[0];
    const camera = given ?? {
      position: [middle[0] + 0.6 * span, middle[1] + 0.4 * span, middle[2] + 1.5 * span],
      target: middle,
      fov: 40,
    };
    // Bodies fall and fly: the sun covers twice what they fill at the start.
    const extent = Math.max(1.2 * span, 1e-6);
    return { middle, extent, camera: { position: camera.position, target: camera.target, fov: camera.fov } };
  }

  /** Sends the surface of a body to the page; returns its number there. */
  private async send(body: Body): Promise<number> {
    const skin = body.getSkin();
    skin.update();
    const { positions, normals, indices, version } = skin;
    const fresh = this.versions.get(body) !== version;
    this.versions.set(body, version);
    await this.setMesh(body.handle, {
      positions: text(positions),
      normals: text(normals),
      kind: 'solid',
      ...(fresh && { colours: text(coloursOf(body)), indices: text(indices) }),
    });
    return body.handle;
  }

  private async setMesh(id: number, mesh: Record<string, unknown>): Promise<void> {
    await this.page.evaluate(([id, mesh]) => (globalThis as unknown as Drawing).setMesh(id, mesh), [id, mesh] as const);
  }

  /** Hands the pictures that were encoded since to the container. */
  private async mux(): Promise<void> {
    const { BufferTarget, EncodedPacket, EncodedVideoPacketSource, Mp4OutputFormat, Output, WebMOutputFormat } =
      await import('mediabunny');
    for (const { type, timestamp, data, config } of this.chunks.splice(0)) {
      const decoderConfig = config && {
        ...config,
        description: config.description === undefined ? undefined : Buffer.from(config.description, 'base64'),
      };
      if (!this.media) {
        const source = new EncodedVideoPacketSource(codecOf(config!.codec));
        const target = new BufferTarget();
        const format = this.kind === 'mp4' ? new Mp4OutputFormat({ fastStart: 'in-memory' }) : new WebMOutputFormat();
        const output = new Output({ format, target });
        output.addVideoTrack(source, { frameRate: this.fps });
        await output.start();
        this.media = { output, source, bytes: () => target.buffer };
      }
      const packet = new EncodedPacket(Buffer.from(data, 'base64'), type, timestamp / 1e6, 1 / this.fps);
      await this.media.source.add(packet, decoderConfig && ({ decoderConfig } as EncodedVideoChunkMetadata));
    }
  }

  async finish(): Promise<string[]> {
    const problem = await this.page.evaluate(() => (globalThis as unknown as Drawing).finish());
    if (problem) this.fail(problem);
    await this.mux();
    await this.media!.output.finalize();
    const bytes = new Uint8Array(this.media!.bytes()!);
    await this.result.write(bytes);
    const [width, height] = this.size;
    return [
      `wrote ${this.file} (${this.pictures} frames of ${width} × ${height}, ${Number(this.fps.toFixed(3))} a second, ${(bytes.length / 1e6).toFixed(1)} MB)`,
    ];
  }

  private fail(problem: string): never {
    throw new WriteError('--out', `--out: the Chromium that draws ${this.file} failed: ${problem}.`);
  }
}

/** The functions of the page. */
interface Drawing {
  setUp(options: object): Promise<string>;
  setMesh(id: number, mesh: object): void;
  draw(frame: number, poses: readonly unknown[]): Promise<string | undefined>;
  finish(): Promise<string | undefined>;
}

/** The data that mediabunny's packets come with. */
type EncodedVideoChunkMetadata = Parameters<EncodedVideoPacketSource['add']>[1];

const codecOf = (codec: string) =>
  codec.startsWith('avc1') ? 'avc' : codec.startsWith('vp09') ? 'vp9' : codec.startsWith('av01') ? 'av1' : 'vp8';

const text = (values: Float32Array | Uint32Array): string =>
  Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString('base64');

/** Linear colours of the vertices: those of the mesh, or one for each body. */
function coloursOf(body: Body): Float32Array {
  const { colours, vertexCount, groups, indices } = body.getSkin();
  const out = new Float32Array(3 * vertexCount);
  const own = clusterColour(body.handle).map((byte) => (byte / 255) ** 2.2);
  for (const { start, count, kind } of groups)
    for (let k = start; k < start + count; k++)
      for (let a = 0; a < 3; a++)
        out[3 * indices[k] + a] = kind === 'inner' ? INNER * own[a] : colours ? colours[3 * indices[k] + a] : own[a];
  return out;
}

/** "1280x720". Codecs divide pictures into squares of two pixels. @throws PliantError. */
export function pictureSize(text: string): [number, number] {
  const [, width, height] = /^(\d+)[x×](\d+)$/.exec(text.trim()) ?? [];
  const size: [number, number] = [Number(width), Number(height)];
  if (!size.every((n) => Number.isInteger(n) && n >= 16 && n <= 4096 && n % 2 === 0))
    throw new PliantError(
      '--size',
      `--size is ${JSON.stringify(text)}; expected WIDTHxHEIGHT, even numbers from 16 to 4096.`,
    );
  return size;
}
