/** The table that a runner makes of a level, in the connection of one job. */
export const rollupTable = 'parquetry_level'
