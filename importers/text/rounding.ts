import type { Milliseconds } from '../../lib/run/run'

/** Nanoseconds as milliseconds of so many digits: for figures that are no more exact than that. */
export function roundMs(ns: number, digits = 3): Milliseconds {
  return Number((ns / 1e6).toPrecision(digits))
}
