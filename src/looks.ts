import fs from 'node:fs';

// Node's functions by which a file is looked at. While an answer is made that is kept, each path that it rests on is
// noted here: what the start of a session reads is read by these functions, and a test watches that no others are used.

let onLook: ((path: unknown) => void) | undefined;

/** Calls `look` with each path before it is looked at; returns what ends this. */
export function noteLooks(look: (path: unknown) => void): () => void {
  onLook = look;
  return () => {
    onLook = undefined;
  };
}

function noting<F extends (...args: never[]) => unknown>(look: F): F {
  return new Proxy(look, {
    apply(target, self, args) {
      onLook?.(args[0]);
      return Reflect.apply(target, self, args);
    },
  });
}

export const accessSync = noting(fs.accessSync);
export const existsSync = noting(fs.existsSync);
export const lstatSync = noting(fs.lstatSync);
export const readdirSync = noting(fs.readdirSync);
export const readFileSync = noting(fs.readFileSync);
export const readlinkSync = noting(fs.readlinkSync);
export const realpathSync = noting(fs.realpathSync);
export const statSync = noting(fs.statSync);
