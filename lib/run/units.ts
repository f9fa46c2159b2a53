/** Milliseconds per unit, by the suffixes that the tools print. */
export const msPerUnit = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3, // U+00B5, what Go prints
  μs: 1e-3, // U+03BC, what some editors make of it
  ms: 1,
  s: 1e3,
  m: 60e3,
  h: 3_600e3,
} as const

/** Bytes per unit for tools that count in 1024 (wrk). */
export const bytesPerBinaryUnit = { B: 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3, TB: 1024 ** 4 } as const
