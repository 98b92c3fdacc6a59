/**
 * Loaded into a real process with `--import`: counts its calls on files below one folder, and makes one of them fail,
 * be cut short or be the last, as a plan in the environment says. Does not affect child processes.
 */
import childProcess from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { constants } from 'node:os';
import { CLOCK_JUMP_MS, type FaultKind, type Plan, type Step, type StepClass } from './steps.ts';

type Call = (this: unknown, ...args: unknown[]) => unknown;

/** Calls by what they do, without the `Sync` of their names. Those left out are made of these. */
const CLASSES: Record<string, StepClass> = {
  stat: 'look',
  lstat: 'look',
  exists: 'look',
  access: 'look',
  realpath: 'look',
  readlink: 'look',
  fstat: 'look',
  readFile: 'read',
  readdir: 'read',
  opendir: 'read',
  read: 'read',
  open: 'open',
  mkdir: 'make',
  mkdtemp: 'make',
  rename: 'make',
  link: 'make',
  symlink: 'make',
  copyFile: 'make',
  cp: 'make',
  write: 'write',
  writev: 'write',
  writeFile: 'write',
  appendFile: 'write',
  fsync: 'flush',
  fdatasync: 'flush',
  sync: 'flush',
  datasync: 'flush',
  close: 'close',
  unlink: 'remove',
  rm: 'remove',
  rmdir: 'remove',
  truncate: 'remove',
  ftruncate: 'remove',
  utimes: 'remove',
  futimes: 'remove',
  chmod: 'remove',
  fchmod: 'remove',
};

const plan: Plan = JSON.parse(process.env.GIT_MEM_TEST_FAULT ?? '{}');
delete process.env.GIT_MEM_TEST_FAULT;
delete process.env.NODE_OPTIONS;

const steps: Step[] = [];
/** Steps that count for the plan. */
let counted = 0;
const open = new Map<number, string>();
const handles = new WeakMap<object, string>();
/** Calls that Node makes within a call are no steps of their own. */
let depth = 0;

const noted = fs.appendFileSync;
if (plan.at === 0) {
  process.on('exit', () => noted(plan.report, JSON.stringify(steps)));
  noteTime();
}

for (const [name, kind] of Object.entries(CLASSES)) {
  replace(fs, `${name}Sync`, (original) => inSync(`${name}Sync`, kind, original));
  replace(fs, name, (original) => withCallback(name, kind, original));
  replace(fs.promises, name, (original) => withPromise(name, kind, original));
}
const probe = await fs.promises.open('/dev/null');
const handle: unknown = Object.getPrototypeOf(probe);
await probe.close();
if (typeof handle === 'object' && handle !== null) {
  for (const name of ['read', 'readFile', 'write', 'writev', 'writeFile', 'appendFile', 'sync', 'datasync', 'close']) {
    replace(handle, name, (original) => withPromise(name, CLASSES[name] ?? 'look', original));
  }
}
// As Node itself does it, but of steps: what is half written lies in between.
fs.writeFileSync = (file, data, options) => writeWhole(file, data, optionsOf(options, 'w'));
fs.appendFileSync = (file, data, options) => writeWhole(file, data, optionsOf(options, 'a'));
replace(childProcess, 'spawn', spawned);
syncBuiltinESMExports();

function inSync(name: string, kind: StepClass, original: Call): Call {
  return function (this: unknown, ...args) {
    const fault = depth === 0 ? nextStep(name, kind, this, args) : undefined;
    depth++;
    try {
      if (fault === undefined) return noteOpened(name, args, original.apply(this, args));
      if (fault === 'short' || fault === 'torn') {
        const written = original.apply(this, firstHalf(args));
        if (fault === 'torn') die();
        return written;
      }
      if (fault === 'kill-before') die();
      if (fault === 'kill-after') {
        original.apply(this, args);
        die();
      }
      // The number is free whatever closing says.
      if (kind === 'close') original.apply(this, args);
      if (name === 'existsSync') return false;
      throw errorOf(fault, name, args);
    } finally {
      depth--;
    }
  };
}

function withCallback(name: string, kind: StepClass, original: Call): Call {
  return function (this: unknown, ...args) {
    const callback = args.at(-1);
    const fault = depth === 0 && isCall(callback) ? nextStep(name, kind, this, args) : undefined;
    if (!isCall(callback)) return original.apply(this, args);
    if (fault === 'kill-before') die();
    const done: Call = (...results) => {
      if (fault === 'kill-after' || fault === 'torn') die();
      if (name === 'open' && results[0] === null) noteOpened('openSync', args, results[1]);
      return callback(...results);
    };
    const isCut = fault === 'short' || fault === 'torn';
    const goesOn = fault === undefined || fault === 'kill-after' || isCut;
    if (goesOn) return original.apply(this, [...(isCut ? firstHalf(args.slice(0, -1)) : args.slice(0, -1)), done]);
    if (kind === 'close') return original.apply(this, [...args.slice(0, -1), () => fail()]);
    return setImmediate(fail);

    function fail(): void {
      if (isCall(callback) && fault !== undefined) callback(errorOf(fault, name, args));
    }
  };
}

function withPromise(name: string, kind: StepClass, original: Call): Call {
  return async function (this: unknown, ...args) {
    const fault = depth === 0 ? nextStep(name, kind, this, args) : undefined;
    if (fault === 'kill-before') die();
    const isCut = fault === 'short' || fault === 'torn';
    if (fault !== undefined && fault !== 'kill-after' && !isCut) {
      if (kind === 'close') await original.apply(this, args);
      throw errorOf(fault, name, args);
    }
    const result = await original.apply(this, isCut ? firstHalf(args) : args);
    if (fault === 'kill-after' || fault === 'torn') die();
    const path = name === 'open' ? pathOf(args[0]) : undefined;
    if (path !== undefined && typeof result === 'object' && result !== null) handles.set(result, path);
    return result;
  };
}

/** Starting a program is a step too. What would outlive the process is replaced by what ends at once. */
function spawned(original: Call): Call {
  return function (this: unknown, ...args) {
    const [command, , options] = args;
    const isDetached = typeof options === 'object' && options !== null && 'detached' in options && options.detached;
    const wanted = isDetached ? ['true', [], options] : args;
    const fault = count('spawn', `spawn ${String(command).replace(/^.*\//, '')}`);
    if (fault === 'kill-before') die();
    // Node tells of it as of a program that is not there.
    if (fault === 'EMFILE') return original.apply(this, ['/no/such/program', [], options]);
    const child = original.apply(this, wanted);
    if (fault === 'kill-after') die();
    return child;
  };
}

/** The fault of this call; undefined where it is none of ours, or nothing happens to it. */
function nextStep(name: string, kind: StepClass, self: unknown, args: unknown[]): FaultKind | undefined {
  const known = typeof self === 'object' && self !== null ? handles.get(self) : undefined;
  const paths = known === undefined ? args.slice(0, 2).map(pathOf) : [known];
  const path = paths.find((one) => one === plan.folder || one?.startsWith(`${plan.folder}/`));
  if (path === undefined) return undefined;
  const is = kind === 'open' && !isWriting(args[1]) ? 'read' : kind;
  return count(is, `${name} ${classOf(path.slice(plan.folder.length + 1))}`);
}

function count(kind: StepClass, label: string): FaultKind | undefined {
  const step: Step = { class: kind, label };
  if (plan.at === 0) noteFiles(step);
  steps.push(step);
  if (plan.label === undefined || plan.label === label) counted++;
  else return undefined;
  if (counted !== plan.at) return undefined;
  depth++;
  noted(plan.report, label);
  depth--;
  if (plan.kind !== 'clock') return plan.kind;
  putClockBack();
  return undefined;
}

let filesBefore = '';

/** Notes whether anything happened to the files since the last step, be it by a child or by SQLite. */
function noteFiles(step: Step): void {
  depth++;
  const entries = fs.readdirSync(plan.folder, { recursive: true, withFileTypes: true });
  const files = entries.map((entry) => {
    const path = `${entry.parentPath}/${entry.name}`;
    const stat = fs.lstatSync(path, { throwIfNoEntry: false });
    return `${path} ${stat?.ino} ${stat?.size} ${stat?.mtimeMs} ${stat?.ctimeMs}`;
  });
  depth--;
  const now = files.join('\n');
  if (now === filesBefore) step.isAsBefore = true;
  filesBefore = now;
}

function pathOf(target: unknown): string | undefined {
  if (typeof target === 'number') return open.get(target);
  if (target instanceof URL) return target.pathname;
  return typeof target === 'string' || Buffer.isBuffer(target) ? target.toString() : undefined;
}

/** The path without what is random in it. */
function classOf(path: string): string {
  return path
    .replace(/\.tmp-.*$/, '.tmp')
    .replace(/-[0-9a-z]{4}-(?=[0-9a-z]{10}\.md$)/, '-#-')
    .replace(/[0-9a-f]{6,}/g, '#')
    .replace(/\d+/g, '0');
}

function isWriting(flags: unknown): boolean {
  if (typeof flags === 'string') return /[wax+]/.test(flags);
  return typeof flags === 'number' && (flags & (fs.constants.O_WRONLY | fs.constants.O_RDWR)) !== 0;
}

function noteOpened(name: string, args: unknown[], result: unknown): unknown {
  const path = pathOf(args[0]);
  if (name === 'openSync' && typeof result === 'number' && path !== undefined) open.set(result, path);
  if (name === 'closeSync' && typeof args[0] === 'number') open.delete(args[0]);
  return result;
}

/** The arguments of a write, for the first half of its bytes. */
function firstHalf([target, data, offset, length, position]: unknown[]): unknown[] {
  if (Array.isArray(data)) return [target, data.slice(0, data.length / 2)];
  const bytes = ArrayBuffer.isView(data)
    ? Buffer.from(data.buffer, data.byteOffset, data.byteLength)
    : Buffer.from(String(data));
  const from = ArrayBuffer.isView(data) && typeof offset === 'number' ? offset : 0;
  const all = typeof length === 'number' ? length : bytes.length - from;
  return [target, bytes, from, Math.floor(all / 2), ...(typeof position === 'number' ? [position] : [])];
}

function writeWhole(
  file: fs.PathOrFileDescriptor,
  data: string | NodeJS.ArrayBufferView,
  { flag, mode }: { flag: string; mode: fs.Mode },
): void {
  const number = typeof file === 'number' ? file : fs.openSync(file, flag, mode);
  const bytes =
    typeof data === 'string' ? Buffer.from(data) : Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  try {
    for (let at = 0; at < bytes.length; ) at += fs.writeSync(number, bytes, at, bytes.length - at);
  } finally {
    if (typeof file !== 'number') fs.closeSync(number);
  }
}

function optionsOf(options: fs.WriteFileOptions | undefined, flag: string): { flag: string; mode: fs.Mode } {
  const given = typeof options === 'object' && options !== null ? options : {};
  return { flag: given.flag ?? flag, mode: given.mode ?? 0o666 };
}

function errorOf(fault: FaultKind, name: string, args: unknown[]): Error {
  const errno = Object.entries(constants.errno).find(([code]) => code === fault)?.[1] ?? 0;
  const path = pathOf(args[0]);
  const message = `${fault}: put in by a test, ${name} '${path}'`;
  return Object.assign(new Error(message), { code: fault, errno: -errno, syscall: name, path });
}

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

function putClockBack(): void {
  const RealDate = Date;
  replaceClock(() => RealDate.now() - CLOCK_JUMP_MS);
}

/** Notes at each step whether the time is asked for before the next. */
function noteTime(): void {
  const RealDate = Date;
  replaceClock(() => {
    const step = steps.at(-1);
    if (step !== undefined) step.asksTime = true;
    return RealDate.now();
  });
}

function replaceClock(now: () => number): void {
  const RealDate = Date;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, asked) => Reflect.construct(target, args.length === 0 ? [now()] : args, asked),
    get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
  });
}

function replace(holder: object, name: string, make: (original: Call) => Call): void {
  const original: unknown = Reflect.get(holder, name);
  if (!isCall(original)) return;
  const made = make(original);
  for (const key of Reflect.ownKeys(original)) {
    const property = Object.getOwnPropertyDescriptor(original, key);
    if (property && Object.getOwnPropertyDescriptor(made, key) === undefined)
      Object.defineProperty(made, key, property);
  }
  Reflect.set(holder, name, made);
}

function isCall(value: unknown): value is Call {
  return typeof value === 'function';
}
