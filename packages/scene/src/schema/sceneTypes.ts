// Written by scripts/sceneTypes.mjs from the schema: change that.

type Triple = [number, number, number];

/** A shape in a scene file: those of the engine, without functions. */
export type ShapeFile = {
  position?: Triple | undefined;
  rotation?: [number, number, number, number] | { axis: Triple; degrees: number } | undefined;
} & (
  | { type: 'box'; size: Triple }
  | { type: 'sphere'; radius: number }
  | { type: 'ellipsoid'; radii: Triple }
  | { type: 'cylinder' | 'capsule'; radius: number; height: number }
  | { type: 'torus'; radius: number; tube: number }
  | { type: 'sheet'; size: [number, number]; thickness: number }
  | { type: 'cord'; path: Triple[]; radius: number }
  | { type: 'union' | 'intersection' | 'difference'; of: ShapeFile[]; smooth?: number | undefined }
);

/** A scene file, parsed. `sceneJsonSchema` describes each of its fields. */
export type SceneFile = {
  bodies: {
    geometry:
      | { type: 'mesh'; file: string; thickness?: number | undefined }
      | { type: 'particles'; file: string }
      | { type: 'points'; points: Triple[] }
      | { type: 'asset'; file: string }
      | {
          type: 'box';
          size: Triple;
          position?: Triple | undefined;
          rotation?: [number, number, number, number] | { axis: Triple; degrees: number } | undefined;
        }
      | {
          type: 'sphere';
          radius: number;
          position?: Triple | undefined;
          rotation?: [number, number, number, number] | { axis: Triple; degrees: number } | undefined;
        }
      | {
          type: 'ellipsoid';
          radii: Triple;
          position?: Triple | undefined;
          rotation?: [number, number, number, number] | { axis: Triple; degrees: number } | undefined;
        }
      | {
          type: 'cylinder';
          radius: number;
          height: number;
          position?: Triple | undefined;
          rotation?: [number, number, number, number] | { axis: Triple; degrees: number } | undefined;
        }
      | {
          type: 'capsule';
          radius: number;
          height: number;
          position?: Triple | undefined;
          rotation?: [number, number, number, number] | { axis: Triple; degrees: number } | undefined;
        }
      | {
          type: 'torus';
          radius: number;
          tube: number;
          position?: Triple | undefined;
          rotation?: [number, number, number, number] | { axis: Triple; degrees: number } | undefined;
        }
      | {
          type: 'sheet';
          size: [number, number];
          thickness: number;
          position?: Triple | undefined;
          rotation?: [number, number, number, number] | { axis: Triple; degrees: number } | undefined;
        }
      | {
          type: 'cord';
          path: Triple[];
          radius: number;
          position?: Triple | undefined;
          rotation?: [number, number, number, number] | { axis: Triple; degrees: number } | undefined;
        }
      | {
          type: 'union' | 'intersection' | 'difference';
          of: ShapeFile[];
          position?: Triple | undefined;
          rotation?: [number, number, number, number] | { axis: Triple; degrees: number } | undefined;
          smooth?: number | undefined;
        };
    copies?:
      | {
          look?:
            | 'rubber'
            | 'darkRubber'
            | 'jelly'
            | 'candy'
            | 'foam'
            | 'clay'
            | 'putty'
            | 'dough'
            | 'bread'
            | 'chocolate'
            | 'cheese'
            | 'glass'
            | 'ceramic'
            | 'stone'
            | 'wood'
            | 'flesh'
            | 'metal'
            | undefined;
          colour?: string | undefined;
          rotation?: [number, number, number, number] | { axis: Triple; degrees: number } | undefined;
          position?: Triple | undefined;
          velocity?: Triple | undefined;
          angularVelocity?: Triple | undefined;
          name?: string | undefined;
        }[]
      | undefined;
    look?:
      | 'rubber'
      | 'darkRubber'
      | 'jelly'
      | 'candy'
      | 'foam'
      | 'clay'
      | 'putty'
      | 'dough'
      | 'bread'
      | 'chocolate'
      | 'cheese'
      | 'glass'
      | 'ceramic'
      | 'stone'
      | 'wood'
      | 'flesh'
      | 'metal'
      | undefined;
    colour?: string | undefined;
    stretch?: Triple | undefined;
    stretchCentre?: Triple | undefined;
    rotation?: [number, number, number, number] | { axis: Triple; degrees: number } | undefined;
    position?: Triple | undefined;
    velocity?: Triple | undefined;
    angularVelocity?: Triple | undefined;
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
          preset?: string | undefined;
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
    scale?: number | Triple | undefined;
  }[];
  $schema?: string | undefined;
  title?: string | undefined;
  description?: string | undefined;
  group?: 'touch' | 'dent' | 'break' | 'cut' | 'flow' | 'papers' | undefined;
  try?: string | undefined;
  gravity?: Triple | undefined;
  dt?: number | undefined;
  substeps?: number | 'auto' | undefined;
  maxSubsteps?: number | undefined;
  frames?: number | undefined;
  materials?:
    | Record<
        string,
        {
          preset?: string | undefined;
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
  clamps?:
    | {
        region:
          | { type: 'halfspace'; normal: Triple; offset: number }
          | { type: 'box'; min: Triple; max: Triple }
          | { type: 'sphere'; centre: Triple; radius: number };
        name?: string | undefined;
        bodies?: string[] | undefined;
        velocity?: Triple | undefined;
        angularVelocity?: Triple | undefined;
        centre?: Triple | undefined;
        lifetime?: number | undefined;
        drive?: 'position' | 'velocity' | undefined;
        firm?: boolean | undefined;
        release?: boolean | undefined;
        by?: 'rest' | 'now' | undefined;
      }[]
    | undefined;
  colliders?:
    | (
        | {
            type: 'plane';
            normal: Triple;
            name?: string | undefined;
            friction?: number | undefined;
            restitution?: number | undefined;
            velocity?: Triple | undefined;
            angularVelocity?: Triple | undefined;
            keyframes?:
              | {
                  time: number;
                  position?: Triple | undefined;
                  rotation?: [number, number, number, number] | { axis: Triple; degrees: number } | undefined;
                }[]
              | undefined;
            loop?: boolean | undefined;
            lifetime?: number | undefined;
            law?: 'coulomb' | 'research' | undefined;
            except?: string | undefined;
            groups?: { membership?: number | undefined; filter?: number | undefined } | undefined;
            offset?: number | undefined;
            position?: Triple | undefined;
          }
        | {
            type: 'sphere';
            centre: Triple;
            radius: number;
            name?: string | undefined;
            friction?: number | undefined;
            restitution?: number | undefined;
            velocity?: Triple | undefined;
            angularVelocity?: Triple | undefined;
            keyframes?:
              | {
                  time: number;
                  position?: Triple | undefined;
                  rotation?: [number, number, number, number] | { axis: Triple; degrees: number } | undefined;
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
            axis: Triple;
            point: Triple;
            radius: number;
            name?: string | undefined;
            friction?: number | undefined;
            restitution?: number | undefined;
            velocity?: Triple | undefined;
            angularVelocity?: Triple | undefined;
            keyframes?:
              | {
                  time: number;
                  position?: Triple | undefined;
                  rotation?: [number, number, number, number] | { axis: Triple; degrees: number } | undefined;
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
            size: Triple;
            name?: string | undefined;
            friction?: number | undefined;
            restitution?: number | undefined;
            velocity?: Triple | undefined;
            angularVelocity?: Triple | undefined;
            keyframes?:
              | {
                  time: number;
                  position?: Triple | undefined;
                  rotation?: [number, number, number, number] | { axis: Triple; degrees: number } | undefined;
                }[]
              | undefined;
            loop?: boolean | undefined;
            lifetime?: number | undefined;
            law?: 'coulomb' | 'research' | undefined;
            except?: string | undefined;
            groups?: { membership?: number | undefined; filter?: number | undefined } | undefined;
            position?: Triple | undefined;
            rotation?: [number, number, number, number] | { axis: Triple; degrees: number } | undefined;
          }
        | {
            type: 'capsule';
            from: Triple;
            to: Triple;
            radius: number;
            name?: string | undefined;
            friction?: number | undefined;
            restitution?: number | undefined;
            velocity?: Triple | undefined;
            angularVelocity?: Triple | undefined;
            keyframes?:
              | {
                  time: number;
                  position?: Triple | undefined;
                  rotation?: [number, number, number, number] | { axis: Triple; degrees: number } | undefined;
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
            velocity?: Triple | undefined;
            angularVelocity?: Triple | undefined;
            keyframes?:
              | {
                  time: number;
                  position?: Triple | undefined;
                  rotation?: [number, number, number, number] | { axis: Triple; degrees: number } | undefined;
                }[]
              | undefined;
            loop?: boolean | undefined;
            lifetime?: number | undefined;
            law?: 'coulomb' | 'research' | undefined;
            except?: string | undefined;
            groups?: { membership?: number | undefined; filter?: number | undefined } | undefined;
            position?: Triple | undefined;
            rotation?: [number, number, number, number] | { axis: Triple; degrees: number } | undefined;
            scale?: number | Triple | undefined;
          }
      )[]
    | undefined;
  forceFields?:
    | (
        | {
            type: 'uniform';
            vector: Triple;
            name?: string | undefined;
            as?: 'force' | 'acceleration' | undefined;
            region?:
              | { type: 'halfspace'; normal: Triple; offset: number }
              | { type: 'box'; min: Triple; max: Triple }
              | { type: 'sphere'; centre: Triple; radius: number }
              | undefined;
            bodies?: string[] | undefined;
            lifetime?: number | undefined;
          }
        | {
            type: 'linear';
            scale: Triple;
            name?: string | undefined;
            as?: 'force' | 'acceleration' | undefined;
            region?:
              | { type: 'halfspace'; normal: Triple; offset: number }
              | { type: 'box'; min: Triple; max: Triple }
              | { type: 'sphere'; centre: Triple; radius: number }
              | undefined;
            bodies?: string[] | undefined;
            lifetime?: number | undefined;
            centre?: Triple | undefined;
          }
        | {
            strength: number;
            type: 'radial';
            name?: string | undefined;
            as?: 'force' | 'acceleration' | undefined;
            region?:
              | { type: 'halfspace'; normal: Triple; offset: number }
              | { type: 'box'; min: Triple; max: Triple }
              | { type: 'sphere'; centre: Triple; radius: number }
              | undefined;
            bodies?: string[] | undefined;
            lifetime?: number | undefined;
            radius?: number | undefined;
            falloff?: number | undefined;
            centre?: Triple | undefined;
          }
        | {
            strength: number;
            type: 'vortex';
            axis: Triple;
            name?: string | undefined;
            as?: 'force' | 'acceleration' | undefined;
            region?:
              | { type: 'halfspace'; normal: Triple; offset: number }
              | { type: 'box'; min: Triple; max: Triple }
              | { type: 'sphere'; centre: Triple; radius: number }
              | undefined;
            bodies?: string[] | undefined;
            lifetime?: number | undefined;
            radius?: number | undefined;
            falloff?: number | undefined;
            centre?: Triple | undefined;
          }
        | {
            type: 'drag';
            rate: number;
            name?: string | undefined;
            as?: 'force' | 'acceleration' | undefined;
            region?:
              | { type: 'halfspace'; normal: Triple; offset: number }
              | { type: 'box'; min: Triple; max: Triple }
              | { type: 'sphere'; centre: Triple; radius: number }
              | undefined;
            bodies?: string[] | undefined;
            lifetime?: number | undefined;
            velocity?: Triple | undefined;
          }
      )[]
    | undefined;
  picks?:
    | {
        point: Triple;
        name?: string | undefined;
        body?: string | undefined;
        target?: Triple | undefined;
        stiffness?: number | undefined;
        damping?: number | undefined;
        maxAcceleration?: number | undefined;
        radius?: number | undefined;
      }[]
    | undefined;
  cuts?:
    | (
        | { at: number; plane: { point: Triple; normal: Triple }; body?: string | undefined }
        | { at: number; blade: Triple[]; body?: string | undefined }
      )[]
    | undefined;
  cameras?: { position: Triple; target: Triple; name?: string | undefined; fov?: number | undefined }[] | undefined;
  variants?: Record<string, { set: Record<string, unknown>; description?: string | undefined }> | undefined;
};
