import wasm from './scan.wasm.ts';

let compiled: WebAssembly.Module | undefined;

export function scannerModule(): WebAssembly.Module {
  compiled ??= new WebAssembly.Module(wasm);
  return compiled;
}

/** Whether this machine can run it. */
export function simdAvailable(): boolean {
  try {
    scannerModule();
    return true;
  } catch {
    return false;
  }
}
