import { clickhouse } from './clickhouse.ts'
import { mariadb } from './mariadb.ts'
import { postgres } from './postgres.ts'
import type { Service } from './service.ts'
import { trino } from './trino.ts'

/** Every server that tests ask. */
export const services: readonly Service[] = [trino, clickhouse, postgres, mariadb]
