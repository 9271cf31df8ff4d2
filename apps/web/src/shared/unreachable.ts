import type { WireError } from '@parquetry/model'

/** The server was not reached: nothing is wrong with the question, nor with the picture of the last answer. */
export const isServerUnreachable = ({ phase, error }: { phase: string; error: WireError | null }): boolean =>
  phase === 'failed' && error?.status === 0
