import { placesOf, type Shape } from '../shapes.js';
import type { OutputFile } from '../storage.js';
import type { Streams } from '../streams.js';
import type { Track } from '../tracks.js';
import { Samples } from './samples.js';
import { tuples } from './text.js';

/**
 * The mesh of an object. Points are the places of vertices, so that readers get a connected surface; normals, texture
 * coordinates and colours, which differ at creases and seams, are given by corner through lists of indices.
 */
export class UsdObject {
  private readonly points: Samples;
  private readonly extent: Samples;
  private readonly normals: Samples;
  private readonly faceCounts: Samples;
  private readonly faceIndices: Samples;
  private readonly corners: Samples;
  private readonly uvs: Samples;
  private readonly colours: Samples;
  private readonly pieces: Samples;
  private readonly visibility: Samples;
  private readonly subsets: Samples[];
  /** Whether each surface was ever used. */
  readonly used: boolean[];

  constructor(
    readonly track: Track,
    readonly name: string,
    streams: Streams,
  ) {
    const samples = () => new Samples(streams);
    this.points = samples();
    this.extent = samples();
    this.normals = samples();
    this.faceCounts = samples();
    this.faceIndices = samples();
    this.corners = samples();
    this.uvs = samples();
    this.colours = samples();
    this.pieces = samples();
    this.visibility = samples();
    this.subsets = track.look.surfaces.map(samples);
    this.used = track.look.surfaces.map(() => false);
  }

  async frame(frame: number): Promise<void> {
    const { track, points, normals, extent } = this;
    const { shown, previous } = track;
    const appeared = shown !== undefined && points.count === 0;
    if (appeared && frame > 0) await this.visibility.set(0, '"invisible"');
    if ((appeared && frame > 0) || (track.reshaped && !shown))
      await this.visibility.set(frame, shown ? '"inherited"' : '"invisible"');
    if (!shown) return;
    if (!track.moved) {
      for (const samples of [points, normals, extent]) samples.hold(frame);
      return;
    }
    if (previous) {
      await points.settle(() => `[${tuples(placesOf(previous), 3)}]`);
      await normals.settle(() => `[${tuples(previous.normals, 3)}]`);
      await extent.settle(() => extentOf(previous));
    }
    if (track.reshaped) await this.setTopology(frame, shown);
    await points.set(frame, `[${tuples(placesOf(shown), 3)}]`);
    await normals.set(frame, `[${tuples(shown.normals, 3)}]`);
    await extent.set(frame, extentOf(shown));
  }

  private async setTopology(frame: number, { topology }: Shape): Promise<void> {
    const { indices, place, uvs, colours, pieces, runs } = topology;
    const faces = indices.length / 3;
    const list = (values: ArrayLike<number>) => `[${Array.prototype.join.call(values, ', ')}]`;
    await this.faceCounts.set(frame, list(new Uint8Array(faces).fill(3)));
    await this.faceIndices.set(frame, list(indices.map((v) => place[v])));
    await this.corners.set(frame, list(indices));
    await this.pieces.set(frame, list(pieces));
    if (uvs) await this.uvs.set(frame, `[${tuples(uvs, 2)}]`);
    if (colours) await this.colours.set(frame, `[${tuples(colours, 3)}]`);
    for (const [s, samples] of this.subsets.entries()) {
      const run = runs.find(({ surface }) => surface === s);
      const own = run ? Array.from({ length: run.count / 3 }, (_, n) => run.start / 3 + n) : [];
      if (run) this.used[s] = true;
      await samples.set(frame, list(own));
    }
  }

  /** Writes the prim; `materials` are the paths of the materials of its surfaces. */
  async copyTo(out: Pick<OutputFile, 'write'>, materials: readonly string[]): Promise<void> {
    const text = (part: string) => out.write(new TextEncoder().encode(part));
    const { used } = this;
    const kinds = used.flatMap((is, s) => (is ? [s] : []));
    await text(`    def Mesh "${this.name}" (\n        prepend apiSchemas = ["MaterialBindingAPI"]\n    )\n    {\n`);
    await text('        uniform token subdivisionScheme = "none"\n        uniform token orientation = "rightHanded"\n');
    await text(`        rel material:binding = <${materials[kinds[0] ?? 0]}>\n`);
    await this.visibility.copyTo(out, 'token visibility');
    await this.extent.copyTo(out, 'float3[] extent');
    await this.faceCounts.copyTo(out, 'int[] faceVertexCounts');
    await this.faceIndices.copyTo(out, 'int[] faceVertexIndices');
    await this.points.copyTo(out, 'point3f[] points');
    const byCorner = 'interpolation = "faceVarying"';
    await this.normals.copyTo(out, 'normal3f[] primvars:normals', byCorner);
    await this.corners.copyTo(out, 'int[] primvars:normals:indices');
    await this.uvs.copyTo(out, 'texCoord2f[] primvars:st', byCorner);
    if (this.uvs.count > 0) await this.corners.copyTo(out, 'int[] primvars:st:indices');
    await this.colours.copyTo(out, 'color3f[] primvars:displayColor', byCorner);
    if (this.colours.count > 0) await this.corners.copyTo(out, 'int[] primvars:displayColor:indices');
    await this.pieces.copyTo(out, 'int[] primvars:piece', 'interpolation = "uniform"');
    if (kinds.length > 1) await this.copySubsets(out, kinds, materials);
    await text('    }\n');
  }

  private async copySubsets(out: Pick<OutputFile, 'write'>, kinds: readonly number[], materials: readonly string[]) {
    const text = (part: string) => out.write(new TextEncoder().encode(part));
    await text('        uniform token subsetFamily:materialBind:familyType = "nonOverlapping"\n');
    for (const s of kinds) {
      const name = this.track.look.surfaces[s].kind === 'inner' ? 'inner' : `outer_${s + 1}`;
      await text(
        `        def GeomSubset "${name}" (\n            prepend apiSchemas = ["MaterialBindingAPI"]\n        )\n        {\n`,
      );
      await text('        uniform token elementType = "face"\n        uniform token familyName = "materialBind"\n');
      await this.subsets[s].copyTo(out, 'int[] indices');
      await text(`        rel material:binding = <${materials[s]}>\n        }\n`);
    }
  }
}

function extentOf({ positions }: Shape): string {
  const low = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const high = low.map((value) => -value);
  for (let k = 0; k < positions.length; k++) {
    low[k % 3] = Math.min(low[k % 3], positions[k]);
    high[k % 3] = Math.max(high[k % 3], positions[k]);
  }
  return positions.length === 0 ? '[]' : `[${tuples([...low, ...high], 3)}]`;
}
