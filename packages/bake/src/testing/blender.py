"""Imports files that Pliant baked and prints what Blender makes of them, as one line of JSON after "RESULT ".

blender -b --factory-startup --python blender.py -- FOLDER FRAME FRAME ...
"""
import json
import os
import sys

import numpy

# Debian's Blender 3.4 uses a name that Debian's numpy 1.24 no longer has.
if not hasattr(numpy, 'bool'):
    numpy.bool = bool

import bpy

folder, *frames = sys.argv[sys.argv.index('--') + 1:]
frames = [int(frame) for frame in frames]


def clear():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    # Frames of ours are 60 a second: importers of times in seconds ask the scene.
    bpy.context.scene.render.fps = 60


def describe(frames=frames):
    scene = bpy.context.scene
    out = {'fps': scene.render.fps / scene.render.fps_base, 'frames': {}}
    for frame in frames:
        scene.frame_set(frame)
        graph = bpy.context.evaluated_depsgraph_get()
        found = {}
        for thing in bpy.data.objects:
            if thing.type != 'MESH':
                continue
            evaluated = thing.evaluated_get(graph)
            mesh = evaluated.to_mesh()
            # World to ours: y is up.
            world = [evaluated.matrix_world @ vertex.co for vertex in mesh.vertices]
            points = [(p.x, p.z, -p.y) for p in world]
            low = [min(p[a] for p in points) for a in range(3)] if points else [0, 0, 0]
            high = [max(p[a] for p in points) for a in range(3)] if points else [0, 0, 0]
            used = sorted({mesh.materials[face.material_index].name for face in mesh.polygons if mesh.materials})
            found[thing.name] = {
                'vertices': len(points),
                'faces': len(mesh.polygons),
                'box': low + high,
                'materials': used,
                'uvs': len(mesh.uv_layers),
                'shown': max(abs(s) for s in evaluated.matrix_world.to_scale()) > 0 and not thing.hide_viewport,
            }
            evaluated.to_mesh_clear()
        out['frames'][frame] = found
    out['images'] = sorted(image.name for image in bpy.data.images if image.size[0] > 0)
    return out


results = {'version': bpy.app.version_string}

clear()
bpy.ops.import_scene.gltf(filepath=os.path.join(folder, 'all.glb'))
results['glb'] = describe()

clear()
bpy.ops.import_scene.gltf(filepath=os.path.join(folder, 'heart.glb'))
results['heart'] = describe([0, 90, 170])

clear()
bpy.ops.wm.obj_import(filepath=os.path.join(folder, 'ball.obj'))
ball = [thing for thing in bpy.data.objects if thing.type == 'MESH'][0]
for kind in ('pc2', 'mdd'):
    ball.modifiers.clear()
    cache = ball.modifiers.new('cache', 'MESH_CACHE')
    cache.cache_format = 'PC2' if kind == 'pc2' else 'MDD'
    cache.filepath = os.path.join(folder, 'ball.' + kind)
    cache.frame_start = 0
    results[kind] = describe()

clear()
bpy.ops.import_mesh.ply(filepath=os.path.join(folder, 'all_0012.ply'))
results['ply'] = describe()

# Debian builds Blender without USD.
if hasattr(bpy.types, 'WM_OT_usd_import'):
    for kind in ('usda', 'usdz'):
        clear()
        bpy.ops.wm.usd_import(filepath=os.path.join(folder, 'all.' + kind))
        results[kind] = describe()

print('RESULT ' + json.dumps(results))
