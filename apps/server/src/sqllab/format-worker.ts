import { formatSql } from '@parquetry/sql'
import { parentPort, workerData } from 'node:worker_threads'

const { sql, dialect } = workerData as { sql: string; dialect: string | null }
parentPort?.postMessage(formatSql(sql, dialect))
