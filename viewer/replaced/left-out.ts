/**
 * What the viewer has no use for, by the names that its components import: drawings under the pointer (the plain ones
 * stay), notes (no one wrote any), HdrHistogram's WebAssembly.
 */
export const RechartsDrawing = null
export const Markdown = (): null => null
export const initWebAssembly = (): Promise<void> => Promise.resolve()
export const initWebAssemblySync = (): void => undefined
export const webAssemblyReady = (): boolean => false
export const webAssemblyAvailable = false
/** No histogram is one. */
export function WasmHistogram(): void {
  throw new Error('The WebAssembly of HdrHistogram is left out')
}
