/** The table that a runner makes of a level, in the connection of one job. */
export const levelTable = 'parquetry_level'
