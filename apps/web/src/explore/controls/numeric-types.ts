/** CONST-019: database types of integers. */
export const integerTypes: ReadonlySet<string> = new Set(['TINYINT', 'SMALLINT', 'INT', 'INTEGER', 'BIGINT', 'LONG'])

/** CONST-020: database types of fractional numbers. */
export const floatTypes: ReadonlySet<string> = new Set(['FLOAT', 'DOUBLE', 'REAL', 'NUMERIC', 'DECIMAL', 'MONEY'])
