import { attribute, sRGBTransferEOTF } from 'three/tsl';
import type { Node } from 'three/webgpu';

/** The attribute `colour` in linear light: its bytes are the sRGB values of worker/palette.ts. */
export const paintedColour = () => sRGBTransferEOTF(attribute('colour', 'vec4').rgb) as unknown as Node<'vec3'>;
