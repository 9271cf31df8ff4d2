import type { WireError } from '@parquetry/model'

/** Returns whether the server was unreachable: neither the query nor the chart of the last result is at fault. */
export const isServerUnreachable = ({ phase, error }: { phase: string; error: WireError | null }): boolean =>
  phase === 'failed' && error?.status === 0
