// Written by scripts/sceneTypes.mjs from the schema: change that.

/** A shape in a scene file: those of the engine, without functions. */
export type ShapeFile = {
  position?: [number, number, number] | undefined;
  rotation?: [number, number, number, number] | { axis: [number, number, number]; degrees: number } | undefined;
} & (
  | { type: 'box'; size: [number, number, number] }
  | { type: 'sphere'; radius: number }
  | { type: 'ellipsoid'; radii: [number, number, number] }
  | { type: 'cylinder' | 'capsule'; radius: number; height: number }
  | { type: 'torus'; radius: number; tube: number }
  | { type: 'sheet'; size: [number, number]; thickness: number }
  | { type: 'cord'; path: [number, number, number][]; radius: number }
  | { type: 'union' | 'intersection' | 'difference'; of: ShapeFile[]; smooth?: number | undefined }
);

/** A scene file, parsed. `sceneJsonSchema` describes each of its fields. */
export type SceneFile = {
  /** The deformable bodies. */
  bodies: {
    geometry:
      | { type: 'mesh'; file: string; thickness?: number | undefined }
      | { type: 'particles'; file: string }
      | { type: 'points'; points: [number, number, number][] }
      | { type: 'asset'; file: string }
      | {
          type: 'box';
          size: [number, number, number];
          position?: [number, number, number] | undefined;
          rotation?: [number, number, number, number] | { axis: [number, number, number]; degrees: number } | undefined;
        }
      | {
          type: 'sphere';
          radius: number;
          position?: [number, number, number] | undefined;
          rotation?: [number, number, number, number] | { axis: [number, number, number]; degrees: number } | undefined;
        }
      | {
          type: 'ellipsoid';
          radii: [number, number, number];
          position?: [number, number, number] | undefined;
          rotation?: [number, number, number, number] | { axis: [number, number, number]; degrees: number } | undefined;
        }
      | {
          type: 'cylinder';
          radius: number;
          height: number;
          position?: [number, number, number] | undefined;
          rotation?: [number, number, number, number] | { axis: [number, number, number]; degrees: number } | undefined;
        }
      | {
          type: 'capsule';
          radius: number;
          height: number;
          position?: [number, number, number] | undefined;
          rotation?: [number, number, number, number] | { axis: [number, number, number]; degrees: number } | undefined;
        }
      | {
          type: 'torus';
          radius: number;
          tube: number;
          position?: [number, number, number] | undefined;
          rotation?: [number, number, number, number] | { axis: [number, number, number]; degrees: number } | undefined;
        }
      | {
          type: 'sheet';
          size: [number, number];
          thickness: number;
          position?: [number, number, number] | undefined;
          rotation?: [number, number, number, number] | { axis: [number, number, number]; degrees: number } | undefined;
        }
      | {
          type: 'cord';
          path: [number, number, number][];
          radius: number;
          position?: [number, number, number] | undefined;
          rotation?: [number, number, number, number] | { axis: [number, number, number]; degrees: number } | undefined;
        }
      | {
          type: 'union' | 'intersection' | 'difference';
          of: ShapeFile[];
          position?: [number, number, number] | undefined;
          rotation?: [number, number, number, number] | { axis: [number, number, number]; degrees: number } | undefined;
          smooth?: number | undefined;
        };
    copies?:
      | {
          look?:
            | 'jelly'
            | 'foam'
            | 'clay'
            | 'putty'
            | 'dough'
            | 'chocolate'
            | 'glass'
            | 'ceramic'
            | 'wood'
            | 'flesh'
            | 'rubber'
            | 'darkRubber'
            | 'candy'
            | 'bread'
            | 'cheese'
            | 'stone'
            | 'metal'
            | undefined;
          colour?: string | undefined;
          rotation?: [number, number, number, number] | { axis: [number, number, number]; degrees: number } | undefined;
          position?: [number, number, number] | undefined;
          velocity?: [number, number, number] | undefined;
          angularVelocity?: [number, number, number] | undefined;
          name?: string | undefined;
        }[]
      | undefined;
    look?:
      | 'jelly'
      | 'foam'
      | 'clay'
      | 'putty'
      | 'dough'
      | 'chocolate'
      | 'glass'
      | 'ceramic'
      | 'wood'
      | 'flesh'
      | 'rubber'
      | 'darkRubber'
      | 'candy'
      | 'bread'
      | 'cheese'
      | 'stone'
      | 'metal'
      | undefined;
    colour?: string | undefined;
    stretch?: [number, number, number] | undefined;
    stretchCentre?: [number, number, number] | undefined;
    rotation?: [number, number, number, number] | { axis: [number, number, number]; degrees: number } | undefined;
    position?: [number, number, number] | undefined;
    velocity?: [number, number, number] | undefined;
    angularVelocity?: [number, number, number] | undefined;
    name?: string | undefined;
    sampling?:
      | {
          method?: 'blue-noise' | 'grid' | undefined;
          spacing?: number | undefined;
          count?: number | undefined;
          seed?: number | undefined;
          shell?: number | undefined;
        }
      | undefined;
    material?:
      | string
      | {
          preset?:
            | 'jelly'
            | 'softRubber'
            | 'hardRubber'
            | 'foam'
            | 'clay'
            | 'putty'
            | 'dough'
            | 'chocolate'
            | 'glass'
            | 'ceramic'
            | 'wood'
            | 'flesh'
            | undefined;
          density?:
            | number
            | number[]
            | { along: 'x' | 'y' | 'z'; values: number[]; range?: [number, number] | undefined }
            | { vertexColour: 'r' | 'g' | 'b'; values: [number, number] }
            | { file: string }
            | undefined;
          mass?: number | undefined;
          particleMass?: number | undefined;
          young?:
            | number
            | number[]
            | { along: 'x' | 'y' | 'z'; values: number[]; range?: [number, number] | undefined }
            | { vertexColour: 'r' | 'g' | 'b'; values: [number, number] }
            | { file: string }
            | undefined;
          poisson?: number | undefined;
          dampingRatio?: number | undefined;
          friction?: number | undefined;
          restitution?: number | undefined;
          yield?:
            | number
            | number[]
            | { along: 'x' | 'y' | 'z'; values: number[]; range?: [number, number] | undefined }
            | { vertexColour: 'r' | 'g' | 'b'; values: [number, number] }
            | { file: string }
            | undefined;
          flowTime?: number | undefined;
          hardening?: number | undefined;
          toughness?:
            | number
            | number[]
            | { along: 'x' | 'y' | 'z'; values: number[]; range?: [number, number] | undefined }
            | { vertexColour: 'r' | 'g' | 'b'; values: [number, number] }
            | { file: string }
            | undefined;
          raw?:
            | {
                stiffness?:
                  | number
                  | number[]
                  | { along: 'x' | 'y' | 'z'; values: number[]; range?: [number, number] | undefined }
                  | { vertexColour: 'r' | 'g' | 'b'; values: [number, number] }
                  | { file: string }
                  | undefined;
                damping?: number | undefined;
                bodyDamping?: number | undefined;
                dampingMode?: 'rigid' | 'linear' | undefined;
                rotation?: 'deformation' | 'covariance' | undefined;
                inversion?: 'proper' | 'mirror' | undefined;
                mode?: 'rigid' | 'linear' | 'quadratic' | undefined;
                beta?: number | undefined;
                volume?: 'nearest' | 'scaled' | 'free' | undefined;
                areaLimit?:
                  | {
                      clamp?: 'exact' | 'row' | 'norm' | undefined;
                      max?: number | undefined;
                      from?: number | 'auto' | undefined;
                    }
                  | undefined;
                limit?:
                  | {
                      mode?: 'conserving' | 'paper' | undefined;
                      gamma?: number | undefined;
                      omega?: number | undefined;
                      iterations?: number | undefined;
                    }
                  | undefined;
                flowRate?: number | undefined;
                flowMode?: 'paper' | 'dissipative' | undefined;
                hardening?: number | undefined;
              }
            | undefined;
        }
      | undefined;
    clustering?:
      | {
          algorithm?: 'fuzzy' | 'kmeans' | 'random' | undefined;
          kernel?: 'box' | 'invsq' | 'poly6' | 'blend' | 'fcm' | undefined;
          beta?: number | undefined;
          epsilon?: number | undefined;
          m?: number | undefined;
          count?: number | undefined;
          radius?: number | 'auto' | undefined;
          overlap?: number | undefined;
          maxCount?: number | undefined;
          maxRadius?: number | undefined;
          maxIterations?: number | undefined;
          orphanWeight?: number | undefined;
          seed?: number | undefined;
        }
      | undefined;
    clusters?: { members: number[]; weights?: number[] | undefined }[] | { file: string } | undefined;
    levels?:
      | {
          weights?:
            | number[]
            | 'uniform'
            | { type: 'uniform' }
            | { type: 'linear'; to: 'coarse' | 'fine'; epsilon?: number | undefined }
            | { type: 'gaussian'; to: 'coarse' | 'fine' }
            | { type: 'polynomial'; to: 'coarse' | 'fine'; b?: number | undefined; c?: number | undefined }
            | undefined;
          stiffness?: number[] | undefined;
          damping?: number[] | undefined;
          radiusFactor?: number | undefined;
          count?: number | undefined;
          sums?: 'particles' | 'nested' | undefined;
          of?: 'particles' | 'clusters' | undefined;
        }
      | undefined;
    contact?:
      | {
          mode?: 'proxies' | 'surface' | 'none' | undefined;
          self?: boolean | undefined;
          exits?: 'skin' | 'planes' | undefined;
          fraction?: number | undefined;
          margin?: number | undefined;
          gamma?: number | undefined;
          response?: 'momentum' | 'positions' | undefined;
          obstacles?: 'points' | 'surface' | undefined;
        }
      | undefined;
    groups?: { membership?: number | undefined; filter?: number | undefined } | undefined;
    fracture?:
      | {
          outliers?: number | undefined;
          length?: number | 'auto' | undefined;
          delay?: boolean | undefined;
          boost?: number | undefined;
          falloff?: number | undefined;
          minMembers?: number | undefined;
          minMass?: number | undefined;
          debris?: boolean | undefined;
          budget?: number | undefined;
          roughness?: number | undefined;
          grain?: 'x' | 'y' | 'z' | 'none' | undefined;
        }
      | undefined;
    reclustering?:
      | {
          threshold?: number | undefined;
          fadeOut?: number | undefined;
          fadeIn?: number | undefined;
          minClusters?: number | undefined;
          space?: 'linear' | 'embedded' | 'world' | undefined;
          iterations?: number | undefined;
          every?: number | undefined;
          budget?: number | undefined;
          resample?: number | undefined;
        }
      | undefined;
    scale?: number | [number, number, number] | undefined;
  }[];
  /** Lets an editor complete and check this file. */
  $schema?: string | undefined;
  /** Name of the scene. */
  title?: string | undefined;
  /** The first line: what there is to see. Further lines: where the scene comes from, and why its settings are what they are. */
  description?: string | undefined;
  /** The group: what the scene is about: its place in the gallery. */
  group?: 'touch' | 'dent' | 'break' | 'cut' | 'flow' | 'papers' | undefined;
  /** The try: what to do with it in the studio, in a few words: "Pull an ear." */
  try?: string | undefined;
  /** m/s². Default [0, -9.81, 0]. */
  gravity?: [number, number, number] | undefined;
  /** Seconds per step. Default 1/60. */
  dt?: number | undefined;
  /** Parts into which each step is divided. 'auto' (default): as many as the stiffest awake body with an elastic law needs, up to `maxSubsteps`. */
  substeps?: number | 'auto' | undefined;
  /** Substeps at most, where `substeps` is 'auto'. Default 8. */
  maxSubsteps?: number | undefined;
  /** Steps to run when nobody says otherwise. Default 300. */
  frames?: number | undefined;
  /** Materials by name, for several bodies to share. */
  materials?:
    | Record<
        string,
        {
          preset?:
            | 'jelly'
            | 'softRubber'
            | 'hardRubber'
            | 'foam'
            | 'clay'
            | 'putty'
            | 'dough'
            | 'chocolate'
            | 'glass'
            | 'ceramic'
            | 'wood'
            | 'flesh'
            | undefined;
          density?:
            | number
            | number[]
            | { along: 'x' | 'y' | 'z'; values: number[]; range?: [number, number] | undefined }
            | { vertexColour: 'r' | 'g' | 'b'; values: [number, number] }
            | { file: string }
            | undefined;
          mass?: number | undefined;
          particleMass?: number | undefined;
          young?:
            | number
            | number[]
            | { along: 'x' | 'y' | 'z'; values: number[]; range?: [number, number] | undefined }
            | { vertexColour: 'r' | 'g' | 'b'; values: [number, number] }
            | { file: string }
            | undefined;
          poisson?: number | undefined;
          dampingRatio?: number | undefined;
          friction?: number | undefined;
          restitution?: number | undefined;
          yield?:
            | number
            | number[]
            | { along: 'x' | 'y' | 'z'; values: number[]; range?: [number, number] | undefined }
            | { vertexColour: 'r' | 'g' | 'b'; values: [number, number] }
            | { file: string }
            | undefined;
          flowTime?: number | undefined;
          hardening?: number | undefined;
          toughness?:
            | number
            | number[]
            | { along: 'x' | 'y' | 'z'; values: number[]; range?: [number, number] | undefined }
            | { vertexColour: 'r' | 'g' | 'b'; values: [number, number] }
            | { file: string }
            | undefined;
          raw?:
            | {
                stiffness?:
                  | number
                  | number[]
                  | { along: 'x' | 'y' | 'z'; values: number[]; range?: [number, number] | undefined }
                  | { vertexColour: 'r' | 'g' | 'b'; values: [number, number] }
                  | { file: string }
                  | undefined;
                damping?: number | undefined;
                bodyDamping?: number | undefined;
                dampingMode?: 'rigid' | 'linear' | undefined;
                rotation?: 'deformation' | 'covariance' | undefined;
                inversion?: 'proper' | 'mirror' | undefined;
                mode?: 'rigid' | 'linear' | 'quadratic' | undefined;
                beta?: number | undefined;
                volume?: 'nearest' | 'scaled' | 'free' | undefined;
                areaLimit?:
                  | {
                      clamp?: 'exact' | 'row' | 'norm' | undefined;
                      max?: number | undefined;
                      from?: number | 'auto' | undefined;
                    }
                  | undefined;
                limit?:
                  | {
                      mode?: 'conserving' | 'paper' | undefined;
                      gamma?: number | undefined;
                      omega?: number | undefined;
                      iterations?: number | undefined;
                    }
                  | undefined;
                flowRate?: number | undefined;
                flowMode?: 'paper' | 'dissipative' | undefined;
                hardening?: number | undefined;
              }
            | undefined;
        }
      >
    | undefined;
  /** The clamps: what holds and moves parts of bodies. They act before the colliders. */
  clamps?:
    | {
        region:
          | { type: 'halfspace'; normal: [number, number, number]; offset: number }
          | { type: 'box'; min: [number, number, number]; max: [number, number, number] }
          | { type: 'sphere'; centre: [number, number, number]; radius: number };
        name?: string | undefined;
        bodies?: string[] | undefined;
        velocity?: [number, number, number] | undefined;
        angularVelocity?: [number, number, number] | undefined;
        centre?: [number, number, number] | undefined;
        lifetime?: number | undefined;
        drive?: 'position' | 'velocity' | undefined;
        firm?: boolean | undefined;
        release?: boolean | undefined;
        by?: 'rest' | 'now' | undefined;
      }[]
    | undefined;
  /** Obstacles, in the order in which they act. */
  colliders?:
    | (
        | {
            type: 'plane';
            normal: [number, number, number];
            name?: string | undefined;
            friction?: number | undefined;
            restitution?: number | undefined;
            velocity?: [number, number, number] | undefined;
            angularVelocity?: [number, number, number] | undefined;
            keyframes?:
              | {
                  time: number;
                  position?: [number, number, number] | undefined;
                  rotation?:
                    | [number, number, number, number]
                    | { axis: [number, number, number]; degrees: number }
                    | undefined;
                }[]
              | undefined;
            loop?: boolean | undefined;
            lifetime?: number | undefined;
            law?: 'coulomb' | 'research' | undefined;
            except?: string | undefined;
            groups?: { membership?: number | undefined; filter?: number | undefined } | undefined;
            offset?: number | undefined;
            position?: [number, number, number] | undefined;
          }
        | {
            type: 'sphere';
            centre: [number, number, number];
            radius: number;
            name?: string | undefined;
            friction?: number | undefined;
            restitution?: number | undefined;
            velocity?: [number, number, number] | undefined;
            angularVelocity?: [number, number, number] | undefined;
            keyframes?:
              | {
                  time: number;
                  position?: [number, number, number] | undefined;
                  rotation?:
                    | [number, number, number, number]
                    | { axis: [number, number, number]; degrees: number }
                    | undefined;
                }[]
              | undefined;
            loop?: boolean | undefined;
            lifetime?: number | undefined;
            law?: 'coulomb' | 'research' | undefined;
            except?: string | undefined;
            groups?: { membership?: number | undefined; filter?: number | undefined } | undefined;
            momentumScale?: number | undefined;
          }
        | {
            type: 'cylinder';
            axis: [number, number, number];
            point: [number, number, number];
            radius: number;
            name?: string | undefined;
            friction?: number | undefined;
            restitution?: number | undefined;
            velocity?: [number, number, number] | undefined;
            angularVelocity?: [number, number, number] | undefined;
            keyframes?:
              | {
                  time: number;
                  position?: [number, number, number] | undefined;
                  rotation?:
                    | [number, number, number, number]
                    | { axis: [number, number, number]; degrees: number }
                    | undefined;
                }[]
              | undefined;
            loop?: boolean | undefined;
            lifetime?: number | undefined;
            law?: 'coulomb' | 'research' | undefined;
            except?: string | undefined;
            groups?: { membership?: number | undefined; filter?: number | undefined } | undefined;
          }
        | {
            type: 'box';
            size: [number, number, number];
            name?: string | undefined;
            friction?: number | undefined;
            restitution?: number | undefined;
            velocity?: [number, number, number] | undefined;
            angularVelocity?: [number, number, number] | undefined;
            keyframes?:
              | {
                  time: number;
                  position?: [number, number, number] | undefined;
                  rotation?:
                    | [number, number, number, number]
                    | { axis: [number, number, number]; degrees: number }
                    | undefined;
                }[]
              | undefined;
            loop?: boolean | undefined;
            lifetime?: number | undefined;
            law?: 'coulomb' | 'research' | undefined;
            except?: string | undefined;
            groups?: { membership?: number | undefined; filter?: number | undefined } | undefined;
            position?: [number, number, number] | undefined;
            rotation?:
              | [number, number, number, number]
              | { axis: [number, number, number]; degrees: number }
              | undefined;
          }
        | {
            type: 'capsule';
            from: [number, number, number];
            to: [number, number, number];
            radius: number;
            name?: string | undefined;
            friction?: number | undefined;
            restitution?: number | undefined;
            velocity?: [number, number, number] | undefined;
            angularVelocity?: [number, number, number] | undefined;
            keyframes?:
              | {
                  time: number;
                  position?: [number, number, number] | undefined;
                  rotation?:
                    | [number, number, number, number]
                    | { axis: [number, number, number]; degrees: number }
                    | undefined;
                }[]
              | undefined;
            loop?: boolean | undefined;
            lifetime?: number | undefined;
            law?: 'coulomb' | 'research' | undefined;
            except?: string | undefined;
            groups?: { membership?: number | undefined; filter?: number | undefined } | undefined;
          }
        | {
            type: 'mesh';
            file: string;
            name?: string | undefined;
            friction?: number | undefined;
            restitution?: number | undefined;
            velocity?: [number, number, number] | undefined;
            angularVelocity?: [number, number, number] | undefined;
            keyframes?:
              | {
                  time: number;
                  position?: [number, number, number] | undefined;
                  rotation?:
                    | [number, number, number, number]
                    | { axis: [number, number, number]; degrees: number }
                    | undefined;
                }[]
              | undefined;
            loop?: boolean | undefined;
            lifetime?: number | undefined;
            law?: 'coulomb' | 'research' | undefined;
            except?: string | undefined;
            groups?: { membership?: number | undefined; filter?: number | undefined } | undefined;
            position?: [number, number, number] | undefined;
            rotation?:
              | [number, number, number, number]
              | { axis: [number, number, number]; degrees: number }
              | undefined;
            scale?: number | [number, number, number] | undefined;
          }
      )[]
    | undefined;
  /** The forceFields: what pushes particles without touching them. */
  forceFields?:
    | (
        | {
            type: 'uniform';
            vector: [number, number, number];
            name?: string | undefined;
            as?: 'force' | 'acceleration' | undefined;
            region?:
              | { type: 'halfspace'; normal: [number, number, number]; offset: number }
              | { type: 'box'; min: [number, number, number]; max: [number, number, number] }
              | { type: 'sphere'; centre: [number, number, number]; radius: number }
              | undefined;
            bodies?: string[] | undefined;
            lifetime?: number | undefined;
          }
        | {
            type: 'linear';
            scale: [number, number, number];
            name?: string | undefined;
            as?: 'force' | 'acceleration' | undefined;
            region?:
              | { type: 'halfspace'; normal: [number, number, number]; offset: number }
              | { type: 'box'; min: [number, number, number]; max: [number, number, number] }
              | { type: 'sphere'; centre: [number, number, number]; radius: number }
              | undefined;
            bodies?: string[] | undefined;
            lifetime?: number | undefined;
            centre?: [number, number, number] | undefined;
          }
        | {
            strength: number;
            type: 'radial';
            name?: string | undefined;
            as?: 'force' | 'acceleration' | undefined;
            region?:
              | { type: 'halfspace'; normal: [number, number, number]; offset: number }
              | { type: 'box'; min: [number, number, number]; max: [number, number, number] }
              | { type: 'sphere'; centre: [number, number, number]; radius: number }
              | undefined;
            bodies?: string[] | undefined;
            lifetime?: number | undefined;
            radius?: number | undefined;
            falloff?: number | undefined;
            centre?: [number, number, number] | undefined;
          }
        | {
            strength: number;
            type: 'vortex';
            axis: [number, number, number];
            name?: string | undefined;
            as?: 'force' | 'acceleration' | undefined;
            region?:
              | { type: 'halfspace'; normal: [number, number, number]; offset: number }
              | { type: 'box'; min: [number, number, number]; max: [number, number, number] }
              | { type: 'sphere'; centre: [number, number, number]; radius: number }
              | undefined;
            bodies?: string[] | undefined;
            lifetime?: number | undefined;
            radius?: number | undefined;
            falloff?: number | undefined;
            centre?: [number, number, number] | undefined;
          }
        | {
            type: 'drag';
            rate: number;
            name?: string | undefined;
            as?: 'force' | 'acceleration' | undefined;
            region?:
              | { type: 'halfspace'; normal: [number, number, number]; offset: number }
              | { type: 'box'; min: [number, number, number]; max: [number, number, number] }
              | { type: 'sphere'; centre: [number, number, number]; radius: number }
              | undefined;
            bodies?: string[] | undefined;
            lifetime?: number | undefined;
            velocity?: [number, number, number] | undefined;
          }
      )[]
    | undefined;
  /** Springs that hold places of bodies. */
  picks?:
    | {
        point: [number, number, number];
        name?: string | undefined;
        body?: string | undefined;
        target?: [number, number, number] | undefined;
        stiffness?: number | undefined;
        damping?: number | undefined;
        maxAcceleration?: number | undefined;
        radius?: number | undefined;
      }[]
    | undefined;
  /** Cuts that are made while the scene runs. */
  cuts?:
    | (
        | {
            at: number;
            plane: { point: [number, number, number]; normal: [number, number, number] };
            body?: string | undefined;
          }
        | { at: number; blade: [number, number, number][]; body?: string | undefined }
      )[]
    | undefined;
  /** Places to look from; the first is the default. */
  cameras?:
    | {
        position: [number, number, number];
        target: [number, number, number];
        name?: string | undefined;
        fov?: number | undefined;
      }[]
    | undefined;
  /** The same scene with other settings, by name: "scenes/bar.json#paper" is the variant "paper". */
  variants?: Record<string, { set: Record<string, unknown>; description?: string | undefined }> | undefined;
};
