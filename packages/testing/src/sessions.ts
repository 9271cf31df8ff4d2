import type { Session } from '@parquetry/engines/drivers'
import { type Cell, cellAt, concat, type Frame } from '@parquetry/frame'
import { AppError, defaultLimits, type Limits, type Value } from '@parquetry/model'

/** Closes the session after use, also on failure. */
export async function withOpenSession<T>(opening: Promise<Session>, use: (session: Session) => Promise<T>): Promise<T> {
  const session = await opening
  try {
    return await use(session)
  } finally {
    await session.close()
  }
}

/** Returns all rows of a statement as one frame, and the sizes of the original frames. */
export async function readAll(
  session: Session,
  text: string,
  { values = [], limits = {} }: { values?: Value[]; limits?: Partial<Limits> } = {},
): Promise<{ frame: Frame; sizes: number[] }> {
  const frames: Frame[] = []
  for await (const frame of session.run({ name: 'test', text, values }, { ...defaultLimits, ...limits }))
    frames.push(frame)
  return { frame: concat(frames), sizes: frames.map(({ rows }) => rows) }
}

/** The cells of the first row. */
export const firstRow = async (session: Session, sql: string): Promise<Cell[]> =>
  (await readAll(session, sql)).frame.columns.map((column) => cellAt(column, 0))

/** The first cell of the first row. */
export const firstCell = async (session: Session, sql: string): Promise<Cell | undefined> =>
  (await firstRow(session, sql))[0]

/** For `catch`: returns the code of an expected failure, else the error. */
export const errorCodeOf = (error: unknown): unknown => (error instanceof AppError ? error.code : error)
