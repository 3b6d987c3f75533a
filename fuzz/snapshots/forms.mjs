/**
 * The forms in which a snapshot is kept. The one place that knows how each is made and read back: `take(world)`, `copy(form)` as a worker or a file would have it, `restore(world, form)`;
 * `isBytes` are damaged byte by byte and have to notice every change, others are damaged as trees.
 */
export const FORMS = {
  plain: {
    isBytes: false,
    take: (world) => world.snapshot(),
    copy: (snapshot) => structuredClone(snapshot),
    restore: (world, snapshot) => world.restore(snapshot),
  },
  bytes: {
    isBytes: true,
    take: (world) => world.save(),
    copy: (bytes) => bytes.slice(),
    restore: (world, bytes) => world.restore(bytes),
  },
};
