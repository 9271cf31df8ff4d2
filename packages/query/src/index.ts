export { sql, Sql, userSql } from './sql/sql.ts'
export { ansi, extendDialect, type Dialect } from './sql/dialect.ts'
export { inline, render } from './sql/render.ts'
