/** CONST-019: types of whole numbers, as databases call them. */
export const integerTypes: ReadonlySet<string> = new Set(['TINYINT', 'SMALLINT', 'INT', 'INTEGER', 'BIGINT', 'LONG'])

/** CONST-020: types of numbers with a fraction. */
export const floatTypes: ReadonlySet<string> = new Set(['FLOAT', 'DOUBLE', 'REAL', 'NUMERIC', 'DECIMAL', 'MONEY'])
