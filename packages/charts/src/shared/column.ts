import type { Column, Frame } from '@parquetry/frame'

export const findColumn = (frame: Frame, name: string): Column | undefined =>
  frame.columns.find((column) => column.name === name)
