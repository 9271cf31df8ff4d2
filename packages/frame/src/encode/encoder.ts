import type { Column, Frame } from '../frame.ts'

/** Column of the file or response: its name in the API, and its heading in CSV and XLSX files. */
export interface EncodedColumn {
  name: string
  heading?: string
  /** Same as in the frames; determines the column width in a spreadsheet. */
  kind?: Column['kind']
}

/**
 * Encodes frames as they arrive. Each call returns the pieces (at most 256 KB each) that are ready to be sent; a partial piece is
 * held back for the next call. The caller owns the pieces. Frames have the columns of `start`, in the same order.
 */
export interface Encoder {
  start(columns: readonly EncodedColumn[]): Uint8Array[]
  frame(frame: Frame): Uint8Array[]
  end(): Uint8Array[]
}

/** Receives the number of bytes so far, as often as a piece is full, and throws when they are too many. */
export type CheckBytes = (bytes: number) => void
