// Where there are DOM types, the storage of bakes has a Blob.
import type { BlobStorage } from '@pliant/bake';

export const save = (storage: BlobStorage): string => URL.createObjectURL(storage.files.get('scene.glb')!);
