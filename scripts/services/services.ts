import { browser } from './browser.ts'
import { clickhouse } from './clickhouse.ts'
import { fonts } from './fonts.ts'
import { mariadb } from './mariadb.ts'
import { postgres } from './postgres.ts'
import { python } from './python.ts'
import type { Service } from './service.ts'
import type { Tool } from './tool.ts'
import { trino } from './trino.ts'

/** All database servers that tests use. */
export const services: readonly Service[] = [trino, clickhouse, postgres, mariadb]

/** All other tools that tests need and npm does not install. */
export const tools: readonly Tool[] = [browser, fonts, python]
