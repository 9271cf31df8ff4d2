import type { Column, Frame } from '../frame.ts'

/** A column of the file or answer: the name that the API gives it, and the heading of CSV and XLSX files. */
export interface EncodedColumn {
  name: string
  heading?: string
  /** As in its frames: says how wide it stands in a spreadsheet. */
  kind?: Column['kind']
}

/**
 * Writes frames as they come. Each call gives the pieces (at most 256 KB each) that are ready to be sent; what is not full
 * yet is kept for the next. The pieces belong to the caller. Frames have the columns of `start`, by place.
 */
export interface Encoder {
  start(columns: readonly EncodedColumn[]): Uint8Array[]
  frame(frame: Frame): Uint8Array[]
  end(): Uint8Array[]
}
