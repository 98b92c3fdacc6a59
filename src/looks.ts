import fs from 'node:fs';

// Node's functions that look at files. While a cached answer is made, each path that it depends on is noted here:
// everything that a session start reads goes through these functions, and a test checks that no others are used.

let onLook: ((path: unknown) => void) | undefined;

/** Calls `look` with each path before it is looked at; returns a function that stops this. */
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
