/**
 * A flag of Node.js: V8 runs WebAssembly as its baseline compiler leaves it. Optimising the embedded database takes
 * longer than all that a file of tests asks of it.
 */
export const baselineWasm = '--liftoff-only'
