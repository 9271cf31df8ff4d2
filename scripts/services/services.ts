import { browser } from './browser.ts'
import { clickhouse } from './clickhouse.ts'
import { fonts } from './fonts.ts'
import { mariadb } from './mariadb.ts'
import { postgres } from './postgres.ts'
import { python } from './python.ts'
import type { Service } from './service.ts'
import type { Tool } from './tool.ts'
import { trino } from './trino.ts'

/** Every database server that tests query. */
export const services: readonly Service[] = [trino, clickhouse, postgres, mariadb]

/** Everything else that tests need from outside of npm. */
export const tools: readonly Tool[] = [browser, fonts, python]
