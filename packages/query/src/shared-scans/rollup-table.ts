/** Table that a runner creates for a rollup, in the connection of one job. */
export const rollupTable = 'parquetry_rollup'
