// A thread of the part `material`: measures the cases that it is sent.
import { parentPort } from 'node:worker_threads';
import { TooStiff } from './bodies.mjs';
import { firstSplits, keepHeight, keepStretch, shatter, tear } from './failure.mjs';
import { bulge, cantilever, drop, hang, law, mode, sag, torsion } from './probes.mjs';
import { stand } from './stand.mjs';
import * as statics from './statics.mjs';

const PROBES = {
  bulge,
  cantilever,
  drop,
  firstSplits,
  hang,
  keepHeight,
  keepStretch,
  law,
  mode,
  sag,
  shatter,
  stand,
  tear,
  torsion,
};
/** The same of bodies as built, by the linear law. */
for (const [name, probe] of Object.entries(statics)) PROBES[`linear ${name}`] = probe;

parentPort.on('message', async (each) => parentPort.postMessage(await measure(each)));

/** The settings and the results of a case, to four digits, or why the case was left out. */
async function measure({ probe, ...row }) {
  const { young, poisson, also, ...options } = row;
  try {
    const result = await PROBES[probe]({ ...options, material: { young, poisson, ...also } });
    const rounded = Object.entries(result).map(([key, value]) => [key, Number(value.toPrecision(4))]);
    return { ...row, ...Object.fromEntries(rounded) };
  } catch (error) {
    if (!(error instanceof TooStiff)) throw error;
    return { ...row, left: error.message };
  }
}
