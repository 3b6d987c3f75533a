import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Finding, outerFrames } from './finding.mjs';
import { MARK } from './watchdog.mjs';

const CHILD = fileURLToPath(new URL('child.mjs', import.meta.url));
/** Seconds of time after which a child that neither answers nor works is given up. */
const SILENCE = 600;

/** Runs cases in a process of their own, one after the other. It starts a new one after a hang, a crash, or when asked for. */
export class Host {
  #child;
  #modules;
  #say;

  constructor(modules = [], say = () => {}) {
    this.#modules = modules;
    this.#say = say;
  }

  /** Resolves to { finding } or { counts }. `isFresh`: in a process that has run nothing before. */
  async run(fuzzer, data, { isFresh = false, seconds } = {}) {
    if (isFresh) await this.close();
    this.#child ??= await start(this.#modules);
    const child = this.#child;
    const answer = await ask(child, { fuzzer, data, seconds }, this.#say);
    if (answer.isOver) this.#child = undefined;
    return answer;
  }

  async close() {
    const child = this.#child;
    this.#child = undefined;
    if (!child) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  }
}

async function start(modules) {
  const child = fork(CHILD, modules, {
    execArgv: ['--expose-gc', '--max-old-space-size=1500', '--stack-trace-limit=30'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  child.said = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    child.said = (child.said + text).slice(-100_000);
  });
  await new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', () => reject(new Error(`the fuzzer's child ended as it began: ${child.said}`)));
  });
  return child;
}

function ask(child, message, say) {
  return new Promise((resolve) => {
    let [call, where] = [undefined, ''];
    let timer;
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(() => child.kill('SIGKILL'), SILENCE * 1000);
    };
    wait();
    const finish = (answer) => {
      clearTimeout(timer);
      child.off('message', hear);
      child.off('close', end);
      resolve(answer);
    };
    const hear = (heard) => {
      wait();
      if (heard.say) say(heard.say);
      else if (!heard.isAnswer) [call, where] = [heard.call, heard.where];
      else finish({ ...heard, finding: heard.finding && revive(heard.finding, call, where) });
    };
    const end = (code, signal) => finish({ isOver: true, finding: died(child.said, code ?? signal, call, where) });
    child.on('message', hear);
    child.on('close', end);
    child.send(message);
  });
}

const revive = ({ kind, message, at, where, call, stack }, lastCall, lastWhere) =>
  new Finding(kind, message, { at, where: where || lastWhere, call: call ?? lastCall, stack });

/** Why a child ended: the watchdog has said so, or it was killed, or it crashed. */
function died(said, reason, call, where) {
  const from = said.lastIndexOf(MARK);
  if (from >= 0) {
    const { kind, message, stack } = JSON.parse(said.slice(from + MARK.length).split('\n')[0]);
    return new Finding(kind, message, { at: outerFrames(stack), where, call, stack });
  }
  if (/heap out of memory|Array buffer allocation failed/.test(said))
    return new Finding('memory', 'JavaScript ran out of memory', { where, call, stack: said.slice(-3000) });
  if (reason === 'SIGKILL')
    return new Finding('hang', `no answer within ${SILENCE} s`, { where, call, stack: said.slice(-3000) });
  return new Finding('crash', `the process ended with ${reason}`, { where, call, stack: said.slice(-3000) });
}
