import { attribute, sRGBTransferEOTF } from 'three/tsl';
import type { Node } from 'three/webgpu';

/** The attribute `colour` as light: its bytes are those of worker/palette.ts, as screens (and style sheets) mean them. */
export const paintedColour = () => sRGBTransferEOTF(attribute('colour', 'vec4').rgb) as unknown as Node<'vec3'>;
