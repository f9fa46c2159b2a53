/**
 * Loaded before all else by a server of the tests (`node --import`): its Date is as many ms off as a file says, from the
 * moment on at which that is written, as after a step of the machine's clock. Timers and performance.now() go on.
 */
import { readFileSync } from 'node:fs'

const file = process.env.TAILBOARD_TEST_CLOCK
const Unmoved = Date
let offMs = 0
let readAt = -Infinity

function now() {
  if (file !== undefined && performance.now() - readAt > 10) {
    readAt = performance.now()
    offMs = Number(readFileSync(file, 'utf8'))
  }
  return Unmoved.now() + offMs
}

globalThis.Date = new Proxy(Unmoved, {
  apply: () => new Unmoved(now()).toString(),
  construct: (target, given, made) => Reflect.construct(target, given.length === 0 ? [now()] : given, made),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
})
