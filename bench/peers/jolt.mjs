// Jolt's cube, of the constraints that its own sample of soft cubes has: edges along the axes and six tetrahedra a cell that keep their volume, both without compliance.
import { EDGE, MASS, makeCube } from './cube.mjs';
import { FALL, RATE } from './drop.mjs';
import { versionOf } from './versions.mjs';

const [STANDING, MOVING] = [0, 1];

function makeWorld(Jolt) {
  const settings = new Jolt.JoltSettings();
  settings.mMaxWorkerThreads = 0;
  const pairs = new Jolt.ObjectLayerPairFilterTable(2);
  pairs.EnableCollision(STANDING, MOVING);
  pairs.EnableCollision(MOVING, MOVING);
  const broad = new Jolt.BroadPhaseLayerInterfaceTable(2, 2);
  const layers = [STANDING, MOVING].map((layer) => new Jolt.BroadPhaseLayer(layer));
  for (const layer of [STANDING, MOVING]) broad.MapObjectToBroadPhaseLayer(layer, layers[layer]);
  settings.mObjectLayerPairFilter = pairs;
  settings.mBroadPhaseLayerInterface = broad;
  settings.mObjectVsBroadPhaseLayerFilter = new Jolt.ObjectVsBroadPhaseLayerFilterTable(broad, 2, pairs, 2);
  const world = new Jolt.JoltInterface(settings);
  Jolt.destroy(settings);
  for (const layer of layers) Jolt.destroy(layer);
  return world;
}

function addPlane(Jolt, bodies) {
  const up = new Jolt.Vec3(0, 1, 0);
  const plane = new Jolt.Plane(up, 0);
  const shape = new Jolt.PlaneShape(plane);
  const [at, turn] = [new Jolt.RVec3(0, 0, 0), new Jolt.Quat(0, 0, 0, 1)];
  const settings = new Jolt.BodyCreationSettings(shape, at, turn, Jolt.EMotionType_Static, STANDING);
  settings.mFriction = 0.5;
  bodies.AddBody(bodies.CreateBody(settings).GetID(), Jolt.EActivation_DontActivate);
  for (const made of [settings, at, turn, plane, up]) Jolt.destroy(made);
}

/** The settings that all cubes of one size have in common. */
function sharedSettings(Jolt, cube) {
  const shared = new Jolt.SoftBodySharedSettings();
  const vertex = new Jolt.SoftBodySharedSettingsVertex();
  vertex.mInvMass = cube.count / MASS;
  for (let i = 0; i < cube.count; i++) {
    const [x, y, z] = cube.positions.subarray(3 * i, 3 * i + 3);
    Object.assign(vertex.mPosition, { x, y, z });
    shared.mVertices.push_back(vertex);
  }
  const edge = new Jolt.SoftBodySharedSettingsEdge(0, 0, 0);
  for (const ends of cube.axisEdges) {
    for (const [k, i] of ends.entries()) edge.set_mVertex(k, i);
    shared.mEdgeConstraints.push_back(edge);
  }
  shared.CalculateEdgeLengths();
  const volume = new Jolt.SoftBodySharedSettingsVolume(0, 0, 0, 0, 0);
  for (const corners of cube.tetrahedra) {
    for (const [k, i] of corners.entries()) volume.set_mVertex(k, i);
    shared.mVolumeConstraints.push_back(volume);
  }
  shared.CalculateVolumeConstraintVolumes();
  const face = new Jolt.SoftBodySharedSettingsFace(0, 0, 0, 0);
  for (const corners of cube.triangles) {
    for (const [k, i] of corners.entries()) face.set_mVertex(k, i);
    shared.AddFace(face);
  }
  for (const made of [vertex, edge, volume, face]) Jolt.destroy(made);
  shared.Optimize();
  return shared;
}

export async function loadJolt() {
  const { default: init } = await import('jolt-physics');
  const Jolt = await init();
  return {
    name: 'Jolt',
    version: versionOf('jolt-physics'),
    made: 'vertices with an edge along each axis and six tetrahedra a cell that keep their volume, without compliance, as in its sample of soft cubes; without contact with itself: its JavaScript API has no setting for it',
    create({ n, lifts = [0], iterations }) {
      const world = makeWorld(Jolt);
      const system = world.GetPhysicsSystem();
      const interface_ = system.GetBodyInterface();
      addPlane(Jolt, interface_);
      const cube = makeCube(n);
      const shared = sharedSettings(Jolt, cube);
      shared.AddRef();
      const bodies = lifts.map((lift) => {
        const [at, turn] = [new Jolt.RVec3(0, EDGE / 2 + FALL + lift, 0), new Jolt.Quat(0, 0, 0, 1)];
        const settings = new Jolt.SoftBodyCreationSettings(shared, at, turn, MOVING);
        settings.mFriction = 0.5;
        settings.mNumIterations = iterations;
        const body = interface_.CreateSoftBody(settings);
        interface_.AddBody(body.GetID(), Jolt.EActivation_Activate);
        for (const made of [settings, at, turn]) Jolt.destroy(made);
        return body;
      });
      const motions = bodies.map((body) => Jolt.castObject(body.GetMotionProperties(), Jolt.SoftBodyMotionProperties));
      let mass = 0;
      for (let i = 0; i < cube.count; i++) mass += 1 / motions[0].GetVertex(i).mInvMass;
      return {
        count: motions[0].GetVertices().size(),
        mass,
        parts: { edges: cube.axisEdges.length, tetrahedra: cube.tetrahedra.length },
        step: () => world.Step(1 / RATE, 1),
        y: (i, which = 0) =>
          bodies[which].GetCenterOfMassPosition().GetY() + motions[which].GetVertex(i).mPosition.GetY(),
        dispose() {
          for (const body of bodies) {
            interface_.RemoveBody(body.GetID());
            interface_.DestroyBody(body.GetID());
          }
          shared.Release();
          Jolt.destroy(world);
        },
      };
    },
  };
}
