export const bytesBits = 5

/** What a row is beside its target: a status (numbered from 0) and a class of bytes (0…31). */
export const jointKey = (status: number, bytes: number): number => (status << bytesBits) | bytes
export const statusOfKey = (key: number): number => key >> bytesBits
export const bytesOfKey = (key: number): number => key & ((1 << bytesBits) - 1)
