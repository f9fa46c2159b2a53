/**
 * A flag of Node.js: V8 runs WebAssembly as its baseline compiler leaves it. Optimising the embedded database takes
 * longer than everything that a file of tests does with it.
 */
export const baselineWasm = '--liftoff-only'
